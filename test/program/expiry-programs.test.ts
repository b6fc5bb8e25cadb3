/** Whole programs that require an expiry: what the engine shows of it. */
import { requireDomainExpiry } from "../../src";
import { type Emulator, startEmulator } from "../../src/testing";
import { describeOnEngines, messagesOf } from "../support/engines";
import { Projects } from "../support/project";

describeOnEngines("a program that requires an expiry", (create) => {
  const id = "44444444-4444-4444-8444-444444444444";
  const later = "55555555-5555-4555-8555-555555555555";
  const projects = new Projects();
  let service: Emulator;

  beforeEach(async () => {
    service = await startEmulator({
      token: "token-to-keep-secret",
      domains: [
        { id, domain: "example.dev", expiresAt: "2001-02-03" },
        { id: later, domain: "later.example", expiresAt: "2999-12-31" },
      ],
    });
  });
  afterEach(() => service.close());

  const settings = () => ({
    config: { "domain-monitoring:baseUrl": service.url },
    secrets: { "domain-monitoring:apiToken": service.token },
  });

  const until = (date: string) => ({ override: { until: date, reason: "Sold in spring" } });

  it("is stopped by one clear line for each function without a stack trace, also by an override that does not hold", async () => {
    const rule = { id, minimumDays: 30 };
    // In a process of its own, which ends.
    const program = `
      const dm = require("pulumi-domain-monitoring");
      exports.expiry = dm.requireDomainExpiry(${JSON.stringify(rule)});
      exports.overridden = dm.requireDomainExpiryOutput(${JSON.stringify({ ...rule, ...until("2001-03-01") })});`;
    const workDir = projects.add("index.js", { "index.js": program });
    const stack = await create({ workDir, ...settings() });
    for (const operation of ["preview", "up"] as const) {
      const outcome = await stack[operation]();
      expect(outcome.failed).toBe(true);
      const errors = messagesOf(outcome, "error").join("\n");
      expect(errors.match(/example\.dev expired on 2001-02-03/g)).toHaveLength(2);
      expect(errors.split("(was accepted until 2001-03-01: Sold in spring)")).toHaveLength(2);
      expect(errors).not.toMatch(/\n\s+at |\.js:\d+/);
    }
  });

  it("warns once for each function in preview and in up where it goes on, and says nothing of a domain that lasts", async () => {
    const program = async () => ({
      warned: await requireDomainExpiry({ id, minimumDays: 30, mode: "warn" }),
      overridden: await requireDomainExpiry({ id, minimumDays: 30, ...until("2999-12-31") }),
      lasting: await requireDomainExpiry({ id: later, minimumDays: 30 }),
    });
    const stack = await create({ program, ...settings() });
    const [preview, up] = [await stack.preview(), await stack.up()];
    for (const outcome of [preview, up]) {
      expect(outcome.failed).toBe(false);
      expect(messagesOf(outcome, "warning").sort()).toEqual([
        expect.stringMatching(/^example\.dev expired on 2001-02-03, .*: renew it now$/),
        expect.stringMatching(/^example\.dev expired on .* \(accepted until 2999-12-31: Sold in spring\)$/),
      ]);
    }
    expect(up.outputs.lasting?.value).toMatchObject({ actBy: "2999-12-01" });
  });
});
