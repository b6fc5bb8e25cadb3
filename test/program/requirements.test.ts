/** Whole programs that require an expiry: what the engine shows of it. */

import { type Emulator, startEmulator } from "../../packages/domain-monitoring-emulator/src";
import { requireDomainExpiry } from "../../src";
import { describeOnEngines, FORMS, messagesOf } from "../support/engines";
import { Projects } from "../support/project";

describeOnEngines("a program that requires something of a domain", (create) => {
  const id = "44444444-4444-4444-8444-444444444444";
  const gone = "55555555-5555-4555-8555-555555555555";
  const projects = new Projects();
  let service: Emulator;

  beforeEach(async () => {
    service = await startEmulator({
      token: "token-to-keep-secret",
      domains: [
        { id, domain: "example.dev", expiresAt: "2999-12-31" },
        { id: gone, domain: "gone.example", expiresAt: "2001-02-03" },
      ],
    });
  });

  afterEach(() => service.close());

  const settings = () => ({
    config: { "domain-monitoring:baseUrl": service.url },
    secrets: { "domain-monitoring:apiToken": service.token },
  });

  /** A program in a process of its own, which ends. */
  function programOf(code: string): { workDir: string } {
    const program = `const dm = require("pulumi-domain-monitoring");\n${code}`;
    return { workDir: projects.add("index.js", { "index.js": program }) };
  }

  const until = (date: string) => ({ override: { until: date, reason: "Sold in spring" } });

  it.each(FORMS)(
    "is stopped by one line without a stack trace for each expiry, %s",
    async (_, form) => {
      const rule = { id: gone, minimumDays: 30 };
      const stack = await create({
        ...form,
        ...programOf(`
        exports.expiry = dm.requireDomainExpiry(${JSON.stringify(rule)});
        exports.overridden = dm.requireDomainExpiryOutput(${JSON.stringify({ ...rule, ...until("2001-03-01") })});`),
        ...settings(),
      });

      for (const operation of ["preview", "up"] as const) {
        const outcome = await stack[operation]();

        expect(outcome.failed).toBe(true);

        const errors = messagesOf(outcome, "error").join("\n");

        expect(errors.match(/gone\.example expired on 2001-02-03/g)).toHaveLength(2);
        expect(errors.split("(was accepted until 2001-03-01: Sold in spring)")).toHaveLength(2);
        expect(errors).not.toMatch(/\n\s+at |\.js:\d+/);
      }
    },
  );

  it("warns once for each expiry, and not for a domain that lasts", async () => {
    const program = async () => ({
      warned: await requireDomainExpiry({ id: gone, minimumDays: 30, mode: "warn" }),
      overridden: await requireDomainExpiry({ id: gone, minimumDays: 30, ...until("2999-12-31") }),
      lasting: await requireDomainExpiry({ id, minimumDays: 30 }),
    });

    const stack = await create({ program, ...settings() });
    const [preview, up] = [await stack.preview(), await stack.up()];
    for (const outcome of [preview, up]) {
      expect(outcome.failed).toBe(false);
      expect(messagesOf(outcome, "warning").sort()).toEqual([
        expect.stringMatching(/^gone\.example expired on 2001-02-03, .*: renew it now$/),
        expect.stringMatching(
          /^gone\.example expired on .* \(accepted until 2999-12-31: Sold in spring\)$/,
        ),
      ]);
    }

    expect(up.outputs.lasting?.value).toMatchObject({ domainId: id, actBy: "2999-12-01" });
  });
});
