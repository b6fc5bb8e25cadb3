/** What a page tells as a story, step by step, happens with what the page itself shows. */
import { writeFileSync } from "node:fs";
import path from "node:path";
import { parse, stringify } from "yaml";
import { startEmulator } from "../../packages/domain-monitoring-emulator/src";
import { accountOf, runInProcess } from "../cli/command";
import { temporaryDirectory } from "../support/temporary";
import { pageAt } from "./support/markdown";

/** The night of the story; only the date is set, time goes on. */
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

describe("the story of an alarm", () => {
  const [rules = "", later = ""] = pageAt("docs/ci-cd.md")
    .blocks.filter(({ language }) => language === "yaml")
    .map(({ code }) => code);
  const [alarm = ""] = pageAt("docs/ci-cd.md")
    .blocks.map(({ code }) => code)
    .filter((code) => code.includes("unreviewed change"));

  it("begins with the page's own rules, shows its lines, and ends with what is pasted", async () => {
    onTheNightOf("2026-11-24");
    const moved = {
      id: "3f0c1111-1111-4111-8111-111111111111",
      fieldChanged: "registrar",
      oldValue: "Former Registrar",
      newValue: "Example Registrar",
      createdAt: "2026-11-23 02:10:00",
    };
    await using service = await startEmulator({
      domains: [
        { domain: "moved.example", whoisChanges: [moved] },
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
});
