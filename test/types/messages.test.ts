/**
 * The compiler's messages about mistakes: the line that names the mistake, in words that a reader
 * of the program knows.
 */
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { Projects } from "../support/project";

const prelude = `
import { DomainAlerts, getDomain, getDomainOutput, NotificationChannel } from "pulumi-domain-monitoring";
const domainId = "11111111-1111-4111-8111-111111111111";
const known = { domainId, label: "Ops on-call", value: null };
const slack = new NotificationChannel("slack", { ...known, type: "slack" });
`;

const METHODS = `Input<"POST" | "PUT" | "PATCH" | null | undefined>`;

/**
 * Code, and the last line of the compiler's message; `…` is a list of literals in no fixed order.
 */
const mistakes: [code: string, message: string][] = [
  [
    `new NotificationChannel("x", { ...known, type: "webhook", secondaryValue: "GET" })`,
    `Type '"GET"' is not assignable to type '${METHODS}'.`,
  ],
  [
    `new NotificationChannel("x", { ...known, type: slack.type, secondaryValue: "GET" })`,
    `Type '"GET"' is not assignable to type '${METHODS}'.`,
  ],
  [
    `new NotificationChannel("x", { ...known, type: "fax" })`,
    `Type '"fax"' is not assignable to type '"webhook" | …`,
  ],
  [
    `new NotificationChannel("x", { label: "Ops", value: null, type: "slack" })`,
    "Property 'domainId' is missing in type '{ label: string; value: null; type: \"slack\"; }' but required in type 'OtherChannelArgs'.",
  ],
  [
    `new NotificationChannel("x", { ...known, type: "slack", lable: "Ops" })`,
    "Object literal may only specify known properties, but 'lable' does not exist in type 'OtherChannelArgs'. Did you mean to write 'label'?",
  ],
  [
    `new DomainAlerts("x", { domainId, channels: { ops: { label: "Ops", type: "webhook", value: null, secondaryValue: "GET" } } })`,
    `Type '"GET"' is not assignable to type '${METHODS}'.`,
  ],
  [
    `new DomainAlerts("x", { domainId, channels: { ops: { label: "Ops", type: "slack", value: null, opts: { protekt: true } } } })`,
    "Object literal may only specify known properties, but 'protekt' does not exist in type 'CustomResourceOptions'. Did you mean to write 'protect'?",
  ],
  [
    `new DomainAlerts("x", { domainId, channels: {}, expiry: { minimumDays: "30" } })`,
    "Type 'string' is not assignable to type 'Input<number>'.",
  ],
  [
    `getDomain({ id: domainId }, { dependsOn: slack })`,
    "Object literal may only specify known properties, and 'dependsOn' does not exist in type 'FunctionOptions'.",
  ],
  [
    `getDomain({ id: slack.domainId })`,
    "Type 'Output<string>' is not assignable to type 'string | undefined'.",
  ],
  [
    `getDomain({ id: domainId, domain: "example.com" })`,
    "Type 'string' is not assignable to type 'undefined'.",
  ],
  [
    `getDomain({ name: "example.com" })`,
    "Object literal may only specify known properties, and 'name' does not exist in type 'GetDomainArgs'.",
  ],
  [
    `getDomain({})`,
    "Argument of type '{}' is not assignable to parameter of type 'GetDomainArgs'.",
  ],
];

describe("the compiler says of", () => {
  let told: string[][];

  beforeAll(() => {
    const projects = new Projects();
    const directory = projects.add("index.js", {});
    for (const [index, [code]] of mistakes.entries())
      writeFileSync(path.join(directory, `mistake-${index}.ts`), `${prelude}${code};\n`);

    const compilerOptions = {
      module: "node16",
      target: "ES2022",
      // Leaves out the browser's declarations, which cost a tenth of the time.
      lib: ["ES2023"],
      strict: true,
      // test/package/consumers.test.ts checks the declarations themselves.
      skipLibCheck: true,
      types: [],
    };

    const include = ["*.ts"];
    writeFileSync(
      path.join(directory, "tsconfig.json"),
      JSON.stringify({ compilerOptions, include }),
    );

    const tsc = [require.resolve("typescript/bin/tsc"), "--noEmit", "--pretty", "false"];
    const { stdout } = spawnSync(process.execPath, tsc, { cwd: directory, encoding: "utf8" });
    const messages = stdout.split(/^(?=mistake-)/m);
    told = mistakes.map((_mistake, index) =>
      messages.filter((one) => one.startsWith(`mistake-${index}.ts`)),
    );
  });

  it.each(mistakes.map(([code, message], index) => [code, message, index] as const))(
    "%s",
    (_code, message, index) => {
      expect(told[index]).toHaveLength(1);

      const last = told[index]?.[0]?.trim().split("\n").at(-1) ?? "";
      const line = last.replace(/^.*error TS\d+: /, "").trim();

      expect(message.endsWith("…") ? `${line.slice(0, message.length - 1)}…` : line).toBe(message);
    },
  );
});
