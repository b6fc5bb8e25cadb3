/**
 * A team that has copied the jobs for GitHub: its clone of the quickstart, with this package's
 * command, the real engine, the emulator as the service, and a double of `gh`.
 */
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import type { Emulator } from "../../../packages/domain-monitoring-emulator/src";
import { filesHolding } from "../../../scripts/example/files-holding.cjs";
import { kill, processesWith } from "../../../scripts/processes.cjs";
import { engineEnvironment } from "../../../scripts/real-engine.cjs";
import { quickSdk } from "../../support/quick-sdk";
import { start, until } from "../../support/run";
import { Clone, step } from "./clone";
import { copyInto, root } from "./copy";

const DESTINATION = "registrar-pipeline-destination@example.com";

export class Team {
  readonly #clone = new Clone();
  readonly #issues = path.join(this.#clone.directory, "issues.json");
  #shown = "";

  private constructor(private readonly service: Emulator) {}

  /** A team with a stack for this domain, which is not deployed yet. */
  static async open(service: Emulator, domainId: string): Promise<Team> {
    const team = new Team(service);
    const gh = `exec "${process.execPath}" "${path.join(__dirname, "gh.mjs")}" "$@"`;
    copyInto(team.#clone.project, "examples/quickstart");
    team.#install();
    team.#clone.command("gh", gh);
    await team.runs("pulumi stack init staging");
    await team.runs(`pulumi config set domainId ${domainId}`);
    const setSecret = 'printf %s "$VALUE" | pulumi config set --secret email';
    await team.runs(setSecret, { VALUE: DESTINATION });
    return team;
  }

  /** Links packages and this package's command, as `npm ci` would install them. */
  #install(): void {
    const modules = path.join(this.#clone.project, "node_modules");
    mkdirSync(path.join(modules, ".bin"), { recursive: true });
    for (const name of readdirSync(path.join(root, "node_modules")))
      if (!name.startsWith("."))
        symlinkSync(path.join(root, "node_modules", name), path.join(modules, name), "junction");

    const main = path.join(root, "dist/cli/main.js");
    const command = `#!/bin/sh\nexec "${process.execPath}" "${main}" "$@"\n`;
    writeFileSync(path.join(modules, ".bin/pulumi-domain-monitoring"), command, { mode: 0o755 });
  }

  /** The repository's variables and secrets, and the environment of a job on GitHub. */
  get #environment(): Record<string, string> {
    return {
      ...engineEnvironment(this.#clone.directory),
      // Without its PATH, as a job's has the commands of the runner.
      NODE_OPTIONS: quickSdk.NODE_OPTIONS,
      DOMAIN_MONITORING_BASE_URL: this.service.url,
      DOMAIN_MONITORING_API_TOKEN: this.service.token,
      GH_STATE: this.#issues,
      PULUMI_STACK: "staging",
      // The example runs many times here, and its types are checked elsewhere.
      PULUMI_NODEJS_TRANSPILE_ONLY: "true",
    };
  }

  /** Runs a script as a step of a job does. */
  async play(script: string, env: Record<string, string> = {}) {
    const ended = await this.#clone.run(script, { ...this.#environment, ...env });
    this.#shown += ended.printed;
    return ended;
  }

  /** The same for a script that has to succeed. */
  async runs(script: string, env?: Record<string, string>): Promise<void> {
    expect(await this.play(script, env)).toMatchObject({ code: 0 });
  }

  /** Runs the steps of a job, up to the first that fails. */
  async #job(file: string, ...names: string[]) {
    let printed = "";
    for (const name of names) {
      const ended = await this.play(step(file, name));
      printed += ended.printed;
      if (ended.code !== 0) return { code: ended.code, printed };
    }

    return { code: 0, printed };
  }

  /** The job that deploys main. */
  deploy() {
    return this.#job("deploy.yml", "Nothing was interrupted", "Up");
  }

  /** Kills the job that deploys main, with everything that it has started. */
  async killDeployment(isUnderWay: () => boolean): Promise<void> {
    const env = { ...process.env, ...this.#environment };
    const options = { cwd: this.#clone.project, env, detached: true };
    const script = step("deploy.yml", "Up");
    const up = start("bash", ["-e", "-o", "pipefail", "-c", script], options);
    await until(() => isUnderWay() || up.child.exitCode !== null);

    // The shell and the engine at once, and then the provider process, which has its own group.
    process.kill(-(up.child.pid ?? 0), "SIGKILL");
    kill(...processesWith("PULUMI_HOME", env.PULUMI_HOME));
    await up.finished;
    this.#shown += up.printed.output;
  }

  /** The nightly job: the exit codes of its parts, and the texts of the issues that are open. */
  async night() {
    for (const file of ["report.json", "report.md", "report.html"])
      rmSync(path.join(this.#clone.project, file), { force: true });

    const report = await this.#job("nightly.yml", "Report", "Issue");
    const drift = await this.play(step("nightly.yml", "Drift"));
    const open = this.issues.filter(({ isOpen }) => isOpen).map(({ body }) => body);

    return { report: report.code, drift: drift.code, open };
  }

  /** All issues of the repository. */
  get issues(): { isOpen: boolean; body: string; comments: string[] }[] {
    return existsSync(this.#issues) ? JSON.parse(readFileSync(this.#issues, "utf8")).issues : [];
  }

  /** The token and the destination are in no output, issue or file. */
  expectNoSecret(): void {
    const secrets = [this.service.token, DESTINATION];
    const forms = [...secrets, ...secrets.map((secret) => Buffer.from(secret).toString("base64"))];
    expect(forms.filter((form) => this.#shown.includes(form))).toEqual([]);
    expect(filesHolding(this.#clone.directory, forms)).toEqual([]);
  }
}
