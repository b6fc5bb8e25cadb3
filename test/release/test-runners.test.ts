/** The test commands of the examples' pages, word for word, with the limits that users have. */
import { spawnSync } from "node:child_process";
import path from "node:path";
import { pageAt, root } from "../docs/support/markdown";

/** The variables of this test runner would tell the other one that it is a worker. */
const env = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(JEST|NODE_ENV|VITEST)/.test(name)),
);

const commands = ["testing", "platform-component"].flatMap((example) => {
  const page = pageAt(`examples/${example}/README.md`);
  const lines = page.blocks.flatMap(({ code }) => code.split("\n"));
  const tests = lines.flatMap((line) => /^npm (?:run )?test\S*/.exec(line)?.[0] ?? []);
  return tests.map((command) => ({ example, command }));
});

it("the pages have a command for each test runner", () => {
  const examples = commands.map(({ example }) => example);
  expect(examples).toEqual(["testing", "testing", "platform-component"]);
});

it.each(commands)("`$command` in examples/$example passes", ({ example, command }) => {
  const options = {
    cwd: path.join(root, "examples", example),
    env: { ...env, NO_COLOR: "1" },
    encoding: "utf8",
    shell: true,
  } as const;

  const { status, stdout, stderr } = spawnSync(command, options);
  const text = stdout + stderr;
  expect(text).toMatch(/^ *Tests:? +[1-9]\d* passed(, [1-9]\d* total| \([1-9]\d*\))$/m);
  expect(text).not.toContain("did not exit");
  expect(status).toBe(0);
});
