/** The programs of the plugin's examples as inline programs of the Automation API. */
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { type Finished, start } from "../../support/run";

/** Updates the stack `test` by the program in this folder, in a process of its language. */
export type InlineUpdate = (workDir: string, env: NodeJS.ProcessEnv) => Promise<Finished>;

const PYTHON = `
import runpy
from pulumi import automation

stack = automation.select_stack(
    "test",
    project_name="domain-monitoring-python",
    program=lambda: runpy.run_path("__main__.py") and None,
    opts=automation.LocalWorkspaceOptions(work_dir="."),
)
stack.up(on_output=print)
`;

/** Runs `__main__.py` in the environment that `pulumi install` has made. */
export const inlinePython: InlineUpdate = (workDir, env) => {
  writeFileSync(path.join(workDir, "inline.py"), PYTHON);
  return start("venv/bin/python", ["inline.py"], { cwd: workDir, env }).finished;
};

const GO = `package main

import (
	"context"
	"fmt"
	"os"

	"github.com/pulumi/pulumi/sdk/v3/go/auto"
	"github.com/pulumi/pulumi/sdk/v3/go/auto/optup"
)

func main() {
	ctx := context.Background()
	stack, err := auto.SelectStackInlineSource(ctx, "test", "domain-monitoring-go", program, auto.WorkDir("."))
	if err == nil {
		_, err = stack.Up(ctx, optup.ProgressStreams(os.Stdout))
	}
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
}
`;

/** Turns the function in `main.go` into a value of the package, once, and runs that. */
export const inlineGo: InlineUpdate = async (workDir, env) => {
  const file = path.join(workDir, "main.go");
  const program = readFileSync(file, "utf8")
    .replace("func main() {\n\tpulumi.Run(", "var program = pulumi.RunFunc(")
    .replace(/\t\}\)\n\}\n$/, "})\n");

  writeFileSync(file, program);
  writeFileSync(path.join(workDir, "inline.go"), GO);
  const tidied = await start("go", ["mod", "tidy"], { cwd: workDir, env }).finished;

  return tidied.code === 0 ? start("go", ["run", "."], { cwd: workDir, env }).finished : tidied;
};
