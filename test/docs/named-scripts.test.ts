/** What a page says to save in a file and to run with Node runs, with nothing installed but what the page names. */
import { type Emulator, startEmulator } from "../../src/testing";
import { Projects } from "../support/project";
import { run } from "../support/run";
import { pages } from "./support/markdown";

/** Such as: As `changes.mjs`, `node changes.mjs` runs this. */
const NAMED =
  /As `(?<name>[\w.]+\.mjs)`, `(?<command>node [^`\n]*)` runs this[^`]*(?:`[^`\n]+`[^`]*)*?```ts\n(?<code>.*?)^```/gms;

const named = pages.flatMap(({ file, text }) =>
  [...text.matchAll(NAMED)].map(({ groups }) => ({
    place: `\`${groups?.command}\` in ${file}`,
    name: groups?.name ?? "",
    command: groups?.command ?? "",
    code: groups?.code ?? "",
  })),
);

describe("what a page names and says how to run", () => {
  const projects = new Projects();
  let service: Emulator;
  beforeAll(async () => {
    service = await startEmulator();
  });
  afterAll(async () => {
    await service.close();
    projects.remove();
  });

  it("is found", () => {
    expect(named.map(({ command }) => command).sort()).toEqual([
      "node --test channel.test.mjs",
      "node changes.mjs",
    ]);
  });

  it.each(named.map((one) => [one.place, one] as const))(
    "%s: runs",
    async (_place, { name, command, code }) => {
      const cwd = projects.add("index.js", { [name]: code });
      const env = {
        PATH: process.env.PATH,
        DOMAIN_MONITORING_BASE_URL: service.url,
        DOMAIN_MONITORING_API_TOKEN: service.token,
      };
      const { code: status, stdout, stderr } = await run("sh", ["-c", command], { cwd, env });
      expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
      if (command.includes("--test")) expect(stdout).toMatch(/^# pass 1$/m);
      else expect(stdout).not.toBe("");
    },
  );
});
