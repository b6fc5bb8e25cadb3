/**
 * Whole programs that require an expiry, or changes to be reviewed: what the engine shows of it.
 */

import { type Emulator, startEmulator } from "../../packages/domain-monitoring-emulator/src";
import {
  requireDomainExpiry,
  requireReviewedChanges,
  requireReviewedChangesOutput,
} from "../../src";
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
        { id, domain: "example.dev", expiresAt: "2999-12-31", whoisChanges: [], dnsChanges: [] },
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
      warned: await requireDomainExpiry({
        id: gone,
        minimumDays: 30,
        mode: "warn",
      }),
      overridden: await requireDomainExpiry({
        id: gone,
        minimumDays: 30,
        ...until("2999-12-31"),
      }),
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

  const change = "77ab0000-0000-4000-8000-000000000002";
  const stolen = (seed: {
    id?: string;
    createdAt: string;
    oldValue?: string[];
    newValue?: string[];
  }) =>
    service.addChange(id, "whois", {
      fieldChanged: "nameservers",
      oldValue: ["ns1.example.net"],
      newValue: ["ns1.thief.example"],
      ...seed,
    });

  it.each(FORMS)(
    "is stopped by one line that names the change until it is reviewed, %s",
    async (_, form) => {
      stolen({ id: change, createdAt: "2026-03-09 02:00:00" });
      stolen({ createdAt: "2025-12-31 23:59:59" });
      // Equal sets are no change.
      stolen({
        oldValue: ["a", "b"],
        newValue: ["B.", "a"],
        createdAt: "2026-03-09 03:00:00",
      });

      const rule = { domain: "example.dev", since: "2026-01-01" };
      const refusing = programOf(
        `exports.result = dm.requireReviewedChanges(${JSON.stringify(rule)});`,
      );

      const refused = await (
        await create({
          ...form,
          ...refusing,
          ...settings(),
        })
      ).preview();

      expect(refused.failed).toBe(true);

      const errors = messagesOf(refused, "error").join("\n");

      expect(errors).toContain(
        "example.dev has 1 unreviewed change: nameservers: ns1.example.net → ns1.thief.example " +
          `(2026-03-09 02:00:00, ${change}). If they were intended, add their ids to reviewed`,
      );

      expect(errors).not.toMatch(/\n\s+at |\.js:\d+/);

      const program = async () => ({
        result: await requireReviewedChanges({ ...rule, reviewed: [change] }),
        expiry: await requireDomainExpiry({ domain: "EXAMPLE.dev", minimumDays: 30 }),
      });

      const stack = await create({ program, ...settings() });
      const before = service.requests.length;
      const { failed, outputs } = await stack.up();

      expect(failed).toBe(false);
      expect(outputs).toMatchObject({
        result: { value: { domainId: id, unreviewed: [] } },
        expiry: { value: { verdict: "pass" } },
      });

      // One reading of the list serves both look-ups.
      expect(
        service.requests.slice(before).filter(({ operation }) => operation === "listDomains"),
      ).toHaveLength(1);
    },
  );

  it("warns instead where it is told to, even in the form for outputs", async () => {
    stolen({ id: change, createdAt: "2026-03-09 02:00:00" });
    const program = async () => ({
      unreviewed: requireReviewedChangesOutput({
        id,
        since: "2026-01-01",
        mode: "warn",
      }).unreviewed,
    });

    const stack = await create({ program, ...settings() });
    const outcome = await stack.up();

    expect(outcome.failed).toBe(false);
    expect(messagesOf(outcome, "warning")).toEqual([expect.stringContaining(change)]);
    expect(outcome.outputs).toMatchObject({
      unreviewed: { value: [{ id: change, kind: "whois" }] },
    });
  });
});
