/** The steps of a page's story work with the files that the page shows. */
import { cpSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { parse, stringify } from "yaml";
import { startEmulator } from "../../packages/domain-monitoring-emulator/src";
import { accountOf, deployment, runInProcess } from "../cli/command";
import { describeWithPulumi } from "../support/engines";
import { Projects } from "../support/project";
import { run } from "../support/run";
import { temporaryDirectory } from "../support/temporary";
import { readerEnvironment, stepsOf, walk } from "../support/walk";
import { pageAt, root } from "./support/markdown";

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

const [alarm = ""] = pageAt("docs/ci-cd.md")
  .blocks.map(({ code }) => code)
  .filter((code) => code.includes("its registrar is"));

it("the story of an alarm starts with the page's rules and ends with the changed ones", async () => {
  onTheNightOf("2026-11-24");
  await using service = await startEmulator({
    domains: [
      { domain: "moved.example", provider: "Other Registrar" },
      { id: "shop", domain: "shop.example", ssl: { expiresAt: "2026-11-25" } },
      { domain: "given-up.example", expiresAt: "2026-12-01" },
    ],
  });

  const file = path.join(temporaryDirectory(), "domain-monitoring.yaml");
  const night = () =>
    runInProcess(["report", "--all", "--rules", file, "--format", "markdown"], {
      env: accountOf(service),
    });

  writeFileSync(file, rules);
  const first = await night();
  expect(first.code).toBe(2);
  expect(first.stdout).toContain(`### Violations\n\n${alarm}`);

  service.updateDomain("shop", { ssl: { expiresAt: "2027-11-25" } });
  writeFileSync(file, stringify({ ...parse(rules), ...parse(later) }));
  const next = await night();

  expect(next).toMatchObject({ code: 0, stderr: "" });
  expect(next.stdout).toContain("accepted until 2026-12-31: ticket 4711");

  onTheNightOf("2027-01-01");
  expect((await night()).code).toBe(2);
});

it("the page of the rules file has a file that the command accepts", async () => {
  onTheNightOf("2026-11-24");
  await using service = await startEmulator();
  const [rules] = pageAt("docs/rules-file.md").blocks;
  const file = path.join(temporaryDirectory(), "rules.yaml");
  // Channels are compared with stacks, which there are none of here.
  writeFileSync(file, rules?.code.replace(/^channels:.*$/m, "") ?? "");

  const { code, stdout, stderr } = await runInProcess(["report", "--all", "--rules", file], {
    env: accountOf(service),
  });

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
  const { blocks } = pageAt("docs/channels.md");
  const [command = ""] = blocks.flatMap(({ code }) =>
    code.includes("> channels.json") ? code.trim() : [],
  );

  const [script = ""] = blocks.flatMap(({ code }) =>
    code.includes('readFileSync("channels.json"') ? code : [],
  );

  const args = /npx pulumi-domain-monitoring (.*) > channels\.json$/.exec(command)?.[1]?.split(" ");

  const env = accountOf(service);
  const inputs = { domainId: recorded?.domainId };
  const { code, stdout } = await runInProcess(args ?? [], {
    env,
    input: deployment([{ id: recorded?.id, inputs }]),
  });

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
  const page = pageAt("docs/upgrade-and-remove.md");
  const [, removal = ""] = /^## Remove$(.*)/ms.exec(page.text) ?? [];

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
    writeFileSync(path.join(project, "package.json"), "{}");
    writeFileSync(
      path.join(project, "Pulumi.yaml"),
      "name: leaving\nruntime: {name: nodejs, options: {typescript: false}}\nmain: index.js\n",
    );

    writeFileSync(
      path.join(project, "index.js"),
      `const { NotificationChannel } = require("pulumi-domain-monitoring");
new NotificationChannel("desk", {
  domainId: "11111111-1111-4111-8111-111111111111",
  label: "Desk",
  type: "email",
  value: "desk@example.com",
});`,
    );

    await take(`pulumi stack init dev
pulumi config set domain-monitoring:baseUrl http://127.0.0.1
pulumi config set --secret domain-monitoring:apiToken
pulumi up`);

    rmSync(installed);
    const [shown = ""] = page.blocks.flatMap(({ code }) =>
      code.startsWith("Error:") ? code.trim() : [],
    );

    await expect(take("pulumi destroy")).rejects.toThrow(shown);

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
