/**
 * Checks workflow files with the parser that GitHub's own language services use: keys, values, and the names and functions
 * of expressions. Prints what is wrong and ends with exit code 1.
 *
 *     node scripts/check-workflows.mjs FILE...
 */
import { readFileSync } from "node:fs";
import { register } from "node:module";

// The parser imports JSON as bundlers do; Node wants the import to say so.
const json = `export const load = (url, context, next) =>
  next(url, url.endsWith(".json") ? { ...context, importAttributes: { type: "json" } } : context);`;
register(`data:text/javascript,${encodeURIComponent(json)}`);
const { NoOperationTraceWriter, parseWorkflow } = await import("@actions/workflow-parser");
const { convertWorkflowTemplate, ErrorPolicy } = await import("@actions/workflow-parser/model/convert");

for (const name of process.argv.slice(2)) {
  const { context, value } = parseWorkflow(
    { name, content: readFileSync(name, "utf8") },
    new NoOperationTraceWriter(),
  );
  // Jobs that need jobs which are not there come up only here.
  if (value) {
    await convertWorkflowTemplate(context, value, undefined, { errorPolicy: ErrorPolicy.TryConversion });
  }
  for (const { message } of context.errors.getErrors()) {
    process.exitCode = 1;
    process.stdout.write(`${message}\n`);
  }
}
