/**
 * Checks workflow files with the parser of GitHub's own language services: keys, values, and the names and functions
 * of expressions. Prints every problem and exits with 1 if there are any.
 *
 *     node check-workflows.mjs FILE...
 */
import { readFileSync } from "node:fs";
import { register } from "node:module";

// The parser imports JSON without an import attribute, which Node requires.
const json = `export const load = (url, context, next) =>
  next(url, url.endsWith(".json") ? { ...context, importAttributes: { type: "json" } } : context);`;
register(`data:text/javascript,${encodeURIComponent(json)}`);
const { NoOperationTraceWriter, parseWorkflow } = await import("@actions/workflow-parser");
const { convertWorkflowTemplate, ErrorPolicy } = await import(
  "@actions/workflow-parser/model/convert"
);

for (const name of process.argv.slice(2)) {
  const { context, value } = parseWorkflow(
    { name, content: readFileSync(name, "utf8") },
    new NoOperationTraceWriter(),
  );
  // Only this step reports `needs` with a job that does not exist.
  if (value) {
    await convertWorkflowTemplate(context, value, undefined, {
      errorPolicy: ErrorPolicy.TryConversion,
    });
  }
  for (const { message } of context.errors.getErrors()) {
    process.exitCode = 1;
    process.stdout.write(`${message}\n`);
  }
}
