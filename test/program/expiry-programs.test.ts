/** Whole programs that require an expiry: what the engine shows of it. */
import { type Emulator, startEmulator } from "../../src/testing";
import { describeOnEngines, type Outcome } from "../support/engines";
import { Projects } from "../support/project";

describeOnEngines("a program that requires an expiry", (create) => {
  const id = "44444444-4444-4444-8444-444444444444";
  const later = "55555555-5555-4555-8555-555555555555";
  let projects: Projects;
  let service: Emulator;

  beforeAll(() => {
    projects = new Projects();
  });
  afterAll(() => {
    projects.remove();
  });
  beforeEach(async () => {
    service = await startEmulator({
      token: "token-to-keep-secret",
      domains: [
        { id, domain: "example.dev", expiresAt: "2001-02-03" },
        { id: later, domain: "later.example", expiresAt: "2999-12-31" },
      ],
    });
  });
  afterEach(async () => {
    await service.close();
  });

  function stackOf(call: string) {
    const workDir = projects.add("index.js", {
      "index.js": `
        const { requireDomainExpiry, requireDomainExpiryOutput } = require("pulumi-domain-monitoring");
        module.exports = async () => ({ expiry: await ${call} });`,
    });
    return create({
      workDir,
      config: { "domain-monitoring:baseUrl": service.url },
      secrets: { "domain-monitoring:apiToken": service.token },
    });
  }

  it("warns once in preview and once in up, and goes on", async () => {
    const stack = await stackOf(`requireDomainExpiry({ id: "${id}", minimumDays: 30, mode: "warn" })`);
    for (const outcome of [await stack.preview(), await stack.up()]) {
      expect(outcome.failed).toBe(false);
      expect(said(outcome, "warning")).toEqual([
        expect.stringMatching(/^example\.dev expired on 2001-02-03/),
      ]);
    }
  });

  it.each(["requireDomainExpiry", "requireDomainExpiryOutput"])(
    "is stopped in preview and in up by one clear line without a stack trace: %s",
    async (name) => {
      const stack = await stackOf(`${name}({ id: "${id}", minimumDays: 30 })`);
      for (const outcome of [await stack.preview(), await stack.up()]) {
        expect(outcome.failed).toBe(true);
        const errors = said(outcome, "error").join("\n");
        expect(errors.match(/example\.dev expired on 2001-02-03/g)).toHaveLength(1);
        expect(errors).not.toMatch(/\n\s+at |\.js:\d+/);
      }
    },
  );

  it("shows the reason of an override that holds, and is stopped by one that does not", async () => {
    const overridden = (until: string) =>
      stackOf(
        `requireDomainExpiry({ id: "${id}", minimumDays: 30, override: { until: "${until}", reason: "Sold in spring" } })`,
      );
    const passing = await (await overridden("2999-12-31")).up();
    expect(passing).toMatchObject({ failed: false, outputs: { expiry: { value: { overridden: true } } } });
    expect(said(passing, "warning")).toEqual([
      expect.stringContaining("(accepted until 2999-12-31: Sold in spring)"),
    ]);
    const stopped = await (await overridden("2001-03-01")).preview();
    expect(stopped.failed).toBe(true);
    expect(said(stopped, "error").join()).toContain("(was accepted until 2001-03-01: Sold in spring)");
  });

  it("is not touched by a domain that lasts", async () => {
    const stack = await stackOf(`requireDomainExpiry({ id: "${later}", minimumDays: 30 })`);
    const up = await stack.up();
    expect(up).toMatchObject({ failed: false, outputs: { expiry: { value: { actBy: "2999-12-01" } } } });
    expect(said(up, "warning")).toEqual([]);
  });

  function said({ diagnostics }: Outcome, severity: string): string[] {
    return diagnostics.filter((message) => message.severity === severity).map(({ message }) => message);
  }
});
