/** A team's clone. Scripts of the templates run in it as on their platform. */
import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { run } from "../../support/run";
import { temporaryDirectory } from "../../support/temporary";
import { gitlabJobs, gitops, steps } from "./files";

/** GitHub runs `shell: bash` with these options. */
const BASH = ["--noprofile", "--norc", "-e", "-o", "pipefail", "-c"];

export class Clone {
  readonly directory = temporaryDirectory();
  readonly bin = path.join(this.directory, "bin");
  readonly project = path.join(this.directory, "project");

  constructor() {
    for (const name of [this.bin, this.project]) mkdirSync(name);
    const rules = "domain-monitoring.yaml";
    copyFileSync(path.join(gitops, rules), path.join(this.project, rules));
  }

  /** Replaces a command of the runner with a script for `sh`. */
  command(name: string, script: string): this {
    writeFileSync(path.join(this.bin, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    return this;
  }

  async run(script: string, env: Record<string, string> = {}) {
    const { code, output } = await run("bash", [...BASH, script], {
      cwd: this.project,
      env: {
        PATH: `${this.bin}${path.delimiter}${process.env.PATH}`,
        HOME: this.directory,
        npm_config_cache: path.join(this.directory, "npm"),
        npm_config_offline: "true",
        npm_config_update_notifier: "false",
        PULUMI_STACK: "prod",
        GITHUB_STEP_SUMMARY: path.join(this.directory, "summary"),
        ...env,
      },
    });

    return { code, printed: output };
  }
}

/** The script of a step of a workflow. */
export function step(file: string, name: string): string {
  const found = steps(file).find((candidate) => candidate.name === name)?.run;
  if (found === undefined) throw new Error(`${file} has no step ${name}`);
  return found;
}

/** The script of a job on GitLab. */
export function onGitLab(job: string): string {
  return (gitlabJobs()[job]?.script ?? []).join("\n");
}
