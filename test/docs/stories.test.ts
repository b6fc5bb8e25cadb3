/** The steps of a page's story work with the files that the page shows. */
import { cpSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { parse, stringify } from "yaml";
import { type Emulator, startEmulator } from "../../packages/domain-monitoring-emulator/src";
import { accountOf, deployment, fileWith, runInProcess } from "../cli/command";
import { describeWithPulumi } from "../support/engines";
import { JAVASCRIPT, Projects } from "../support/project";
import { run } from "../support/run";
import { temporaryDirectory } from "../support/temporary";
import { readerEnvironment, stepsOf, walk } from "../support/walk";
import { codeIn, pageAt, root } from "./support/markdown";

/** The night of the story. Only the date is set; the clock keeps running. */
function onTheNightOf(day: string): void {
  jest.useFakeTimers({
    now: new Date(`${day}T03:04:00Z`),
    doNotFake: [
      "nextTick",
      "performance",
      "queueMicrotask",
      "setImmediate",
      "clearImmediate",
      "setInterval",
      "clearInterval",
      "setTimeout",
      "clearTimeout",
    ],
  });
}

afterEach(() => jest.useRealTimers());

const [rules = "", later = ""] = pageAt("docs/ci-cd.md")
  .blocks.filter(({ language }) => language === "yaml")
  .map(({ code }) => code);

/** Reports on all domains of a service by a file with these rules. */
function report(service: Emulator, text: string) {
  const args = ["report", "--all", "--rules", fileWith(text), "--format", "markdown"];
  return runInProcess(args, { env: accountOf(service) });
}

it("the story of an alarm starts with the page's rules and ends with the changed ones", async () => {
  onTheNightOf("2026-11-24");
  await using service = await startEmulator({
    domains: [
      { domain: "moved.example", provider: "Other Registrar" },
      { id: "shop", domain: "shop.example", ssl: { expiresAt: "2026-11-25" } },
      { domain: "given-up.example", expiresAt: "2026-12-01" },
    ],
  });

  const first = await report(service, rules);
  expect(first.code).toBe(2);
  const alarm = codeIn("docs/ci-cd.md", /its registrar is/);
  expect(first.stdout).toContain(`### Violations\n\n${alarm}`);

  service.updateDomain("shop", { ssl: { expiresAt: "2027-11-25" } });
  const changed = stringify({ ...parse(rules), ...parse(later) });
  const next = await report(service, changed);
  expect(next).toMatchObject({ code: 0, stderr: "" });
  expect(next.stdout).toContain("accepted until 2026-12-31: ticket 4711");

  onTheNightOf("2027-01-01");
  expect((await report(service, changed)).code).toBe(2);
});

it("the page of the rules file has a file that the command accepts", async () => {
  onTheNightOf("2026-11-24");
  await using service = await startEmulator();
  // Channels are compared with stacks, which there are none of here.
  const rules = codeIn("docs/rules-file.md", /^channels:/m).replace(/^channels:.*$/m, "");
  const { code, stdout, stderr } = await report(service, rules);
  expect({ code, stderr }).toEqual({ code: 2, stderr: "" });
  expect(stdout).toContain("is not in the account");
});

const projects = new Projects();
afterAll(() => projects.remove());

it("channels that stayed are printed by the page's script, which deletes them only with --delete", async () => {
  const channels = ["On-call: example.com", "On-call: example.com", "Desk"];
  await using service = await startEmulator({
    lifecycle: "managed",
    domains: [{ domain: "example.com", channels: channels.map((label) => ({ label })) }],
  });

  const [recorded, stayed, ofOthers] = service.channels();
  const command = codeIn("docs/channels.md", /> channels\.json/).trim();
  const script = codeIn("docs/channels.md", /readFileSync\("channels\.json"/);
  const args = /npx pulumi-domain-monitoring (.*) > channels\.json$/.exec(command)?.[1]?.split(" ");
  const env = accountOf(service);
  const input = deployment([{ id: recorded?.id, inputs: { domainId: recorded?.domainId } }]);
  const { code, stdout } = await runInProcess(args ?? [], { env, input });
  expect(code).toBe(0);

  const cwd = projects.add("index.js", { "channels.json": stdout, "clean-up.mjs": script });
  const node = (line: string) =>
    run("sh", ["-c", line], { cwd, env: { PATH: process.env.PATH, ...env } });

  const listed = await node("node clean-up.mjs");
  expect(listed).toMatchObject({ code: 0, stderr: "" });
  expect(listed.stdout.trim().split("\n")).toEqual([expect.stringContaining(`${stayed?.id}`)]);
  expect(service.channels()).toHaveLength(3);
  expect(await node("node clean-up.mjs --delete")).toMatchObject({ code: 0, stderr: "" });
  expect(service.channels().map(({ id }) => id)).toEqual([recorded?.id, ofOthers?.id]);
});

describeWithPulumi("the removal of the package", () => {
  const page = "docs/upgrade-and-remove.md";
  const [, removal = ""] = /^## Remove$(.*)/ms.exec(pageAt(page).text) ?? [];

  /** Installs packages like npm: they are found only from their own place. */
  function install(project: string): void {
    const modules = path.join(project, "node_modules");
    mkdirSync(path.join(modules, "@pulumi"), { recursive: true });
    const own = path.join(root, "node_modules");
    for (const name of readdirSync(own).filter((one) => one !== "@pulumi" && !one.startsWith(".")))
      symlinkSync(path.join(own, name), path.join(modules, name));

    cpSync(path.join(own, "@pulumi/pulumi"), path.join(modules, "@pulumi/pulumi"), {
      recursive: true,
    });
  }

  it("ends with the page's line before a destroy, and goes through after it", async () => {
    const directory = temporaryDirectory();
    const project = path.join(directory, "project");
    await using service = await startEmulator();
    const world = {
      directory: project,
      env: readerEnvironment(path.join(directory, "engine")),
      secrets: {},
      service,
    };

    const take = (commands: string) => walk(stepsOf(`\`\`\`sh\n${commands}\n\`\`\``), world);
    install(project);
    const installed = path.join(project, "node_modules/pulumi-domain-monitoring");
    const files = {
      "package.json": "{}",
      "Pulumi.yaml": `name: leaving\nruntime: ${JAVASCRIPT}\nmain: index.js\n`,
      "index.js": `
        const { NotificationChannel } = require("pulumi-domain-monitoring");
        const domainId = "11111111-1111-4111-8111-111111111111";
        new NotificationChannel("desk", { domainId, label: "Desk", type: "email", value: null });`,
    };

    for (const [name, text] of Object.entries(files)) writeFileSync(path.join(project, name), text);

    await take(`pulumi stack init dev
pulumi config set domain-monitoring:baseUrl http://127.0.0.1
pulumi config set --secret domain-monitoring:apiToken
pulumi up`);

    rmSync(installed);
    await expect(take("pulumi destroy")).rejects.toThrow(codeIn(page, /^Error:/).trim());

    symlinkSync(root, installed);
    expect(stepsOf(removal).flatMap((step) => ("command" in step ? step.command : []))).toEqual([
      "pulumi destroy",
      "pulumi stack rm dev",
      "npm uninstall pulumi-domain-monitoring",
    ]);
    expect(await take("pulumi destroy\npulumi stack rm dev")).toMatch(/"Desk" \(.*\) stays/);
    expect(service.channels()).toHaveLength(1);
  });
});
