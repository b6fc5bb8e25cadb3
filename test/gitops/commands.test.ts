/**
 * Every command in a file of examples/gitops or on a Markdown page exists and has those options.
 */
import { spawnSync } from "node:child_process";
import path from "node:path";
import { pages } from "../docs/support/markdown";
import { describeWithPulumi } from "../support/engines";
import { root } from "./support/copy";
import { type Call, callsIn, gitlabJobs, preRunCommands, steps } from "./support/files";

const fromWorkflows = ["preview.yml", "deploy.yml", "nightly.yml"].flatMap((file) =>
  steps(file).flatMap(({ run = "", name }) => callsIn(run, `${file}, ${name}`)),
);

const fromGitLab = Object.entries(gitlabJobs()).flatMap(([name, { script = [] }]) =>
  script.flatMap((line) => callsIn(line, `.gitlab-ci.yml, ${name}`)),
);

const fromDeployments = preRunCommands().flatMap((line) => callsIn(line, "deploy.yaml"));

const fromReadmes = pages.flatMap(({ file, text }) => {
  const blocks = [...text.matchAll(/^ *```sh\n(.*?)^ *```/gms)].map((match) => match[1] ?? "");
  const inline = [...text.replace(/^ *```.*?^ *```/gms, "").matchAll(/`((?:pulumi|npx) [^`]*)`/g)];

  return [...blocks, ...inline.map((match) => match[1] ?? "")].flatMap((script) =>
    callsIn(script, file),
  );
});

const all = [...fromWorkflows, ...fromGitLab, ...fromDeployments, ...fromReadmes];
const ofPackage = all.filter(({ command }) => command === "pulumi-domain-monitoring");
// Of `pulumi do` the options are the function's.
const ofPulumi = all.filter(
  ({ command, subcommand }) => command === "pulumi" && subcommand[0] !== "do",
);

/** The options in `--help`, which runs once for each subcommand. */
const helps = new Map<string, Set<string>>();

function optionsOf(command: string, args: string[], subcommand: string[]): Set<string> {
  const key = [command, ...subcommand].join(" ");
  if (!helps.has(key)) {
    const { status, stdout } = spawnSync(command, [...args, ...subcommand, "--help"], {
      encoding: "utf8",
    });

    expect({ key, status }).toEqual({ key, status: 0 });
    helps.set(key, new Set(stdout.match(/(?<![\w-])--?[a-z][\w-]*/g)));
  }

  return helps.get(key) ?? new Set();
}

function unknownOptions(calls: Call[], help: (call: Call) => Set<string>): string[] {
  return calls.flatMap((call) =>
    call.options
      .filter((option) => !help(call).has(option))
      .map((option) => `${option} in ${call.source}`),
  );
}

it("the commands are found", () => {
  expect(fromWorkflows).toHaveLength(6);
  expect(fromGitLab).toHaveLength(6);
  expect(fromDeployments).toHaveLength(1);
  expect(fromReadmes.length).toBeGreaterThan(20);
});

it("the commands of this package exist with these options", () => {
  const main = path.join(root, "dist/cli/main.js");
  expect(
    unknownOptions(ofPackage, ({ subcommand }) => optionsOf(process.execPath, [main], subcommand)),
  ).toEqual([]);

  const listed = spawnSync(process.execPath, [main, "--help"], { encoding: "utf8" }).stdout;
  for (const { subcommand } of ofPackage)
    expect(listed).toMatch(new RegExp(`^ +${subcommand[0]} `, "m"));
});

describeWithPulumi("the commands", () => {
  it("exist in the installed pulumi with these options", () => {
    // In `pulumi config set slackUrl`, the argument looks like a subcommand but is not.
    const nested = ["config", "stack", "policy", "plugin", "package", "deployment", "state"];
    const commandOf = ({ subcommand }: Call) => {
      const depth =
        subcommand[0] === "deployment" ? 3 : nested.includes(subcommand[0] ?? "") ? 2 : 1;

      return subcommand.slice(0, depth);
    };

    expect(unknownOptions(ofPulumi, (call) => optionsOf("pulumi", [], commandOf(call)))).toEqual(
      [],
    );
  });
});
