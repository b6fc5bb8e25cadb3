/**
 * Whole programs that require something of their domains, by a function or a component: what stops,
 * what is shown, and that no channel is created, lost or made again.
 */
import { writeFileSync } from "node:fs";
import path from "node:path";
import { requireDomainExpiry } from "../../src";
import { useEmulator } from "../support/emulator";
import { describeOnEngines, FORMS, messagesOf } from "../support/engines";
import { Projects } from "../support/project";
import { isQuick } from "../support/scope";

const id = "44444444-4444-4444-8444-444444444444";
const gone = "55555555-5555-4555-8555-555555555555";
const late = "66666666-6666-4666-8666-666666666666";
const hook = "https://hooks.example.com/services/destination-to-keep-secret";
const ops = { label: "Ops on-call", type: "slack", value: hook, lifecycle: "managed" };
const desk = { ...ops, label: "Registrar desk", lifecycle: "create-only" };

/** What every program has. */
const HEAD = `
  const pulumi = require("@pulumi/pulumi");
  const dm = require("pulumi-domain-monitoring");
  const { id, gone, late, ops, desk } = ${JSON.stringify({ id, gone, late, ops, desk })};`;

const until = (date: string) => ({ override: { until: date, reason: "Sold in spring" } });

describeOnEngines("a program that requires something of a domain", (create) => {
  const projects = new Projects();

  const service = useEmulator({
    token: "token-to-keep-secret",
    lifecycle: "managed",
    domains: [
      { id, domain: "example.dev", expiresAt: "2999-12-31" },
      { id: gone, domain: "gone.example", expiresAt: "2001-02-03" },
      { id: late, domain: "late.example", expiresAt: "2001-02-03" },
    ],
  });

  const settings = () => ({
    config: { "domain-monitoring:baseUrl": service.url, "domain-monitoring:maxRetries": "0" },
    secrets: { "domain-monitoring:apiToken": service.token },
    keepsSecret: [hook],
  });

  /** A program in a process of its own, which ends. */
  const programOf = (code: string) => projects.add("index.js", { "index.js": HEAD + code });

  it.each(FORMS)("is stopped by a line for each failure, before a channel, %s", async (_, form) => {
    const code = `
      const channels = { ops, desk };
      const override = ${JSON.stringify(until("2001-03-01").override)};
      exports.expiry = dm.requireDomainExpiry({ id: gone, minimumDays: 30 });
      exports.overridden = dm.requireDomainExpiryOutput({ id: gone, minimumDays: 30, override });
      const alerts = (name, domainId, minimumDays) => {
        const { channelIds, expiresAt } = new dm.DomainAlerts(name, { domainId, channels, expiry: { minimumDays } });
        Object.assign(exports, { [name + "Ids"]: channelIds, [name + "Expiry"]: expiresAt });
      };
      alerts("expired", late, 30);
      alerts("absent", "77777777-7777-4777-8777-777777777777", 30);
      alerts("senseless", gone, pulumi.output(-1));`;
    const stack = await create({ ...form, workDir: programOf(code), ...settings() });
    for (const operation of isQuick ? (["up"] as const) : (["preview", "up"] as const)) {
      const outcome = await stack[operation]();
      const errors = messagesOf(outcome, "error").join("\n");

      expect(outcome.failed).toBe(true);
      expect(errors.match(/gone\.example expired on 2001-02-03/g)).toHaveLength(2);
      for (const line of [
        "late.example expired on 2001-02-03",
        "(was accepted until 2001-03-01: Sold in spring)",
        "404",
        "the expiry rule is not valid: minimumDays is not a whole number",
      ])
        expect(errors.split(line)).toHaveLength(2);

      expect(errors).not.toMatch(/\n\s+at |\.js:\d+|serializing/);
    }

    expect(service.channels()).toEqual([]);
  });

  it.each(FORMS)("keeps its channels while updates fail, and creates none, %s", async (_, form) => {
    const program = (name: string, label: string) => `
      const channels = { ops: { ...ops, label: "${label}" }, desk };
      const args = { domainId: id, channels, expiry: { minimumDays: 30 } };
      new dm.DomainAlerts("${name}", args, { aliases: [{ name: "website" }] });
      new dm.NotificationChannel("own", { ...ops, label: "Own", domainId: dm.getDomainOutput({ id }).id });`;
    const workDir = programOf(program("website", ops.label));
    const stack = await create({ ...form, workDir, ...settings() });
    expect(await stack.up()).toMatchObject({ failed: false, changes: { create: 4 } });

    // The component is renamed in the state, and its channels are not.
    writeFileSync(path.join(workDir, "index.js"), HEAD + program("site", "Ops by day"));
    service.fault({ operation: "getDomain", times: 2, status: 403 });
    expect((await stack.up()).failed).toBe(true);

    service.updateDomain(id, { expiresAt: "2001-02-03" });
    expect((await stack.up()).failed).toBe(true);

    service.updateDomain(id, { expiresAt: "2999-12-31" });
    service.fault({ operation: "updateNotificationChannel", status: 500, times: 1 });
    expect((await stack.up()).failed).toBe(true);
    expect(await stack.up()).toMatchObject({ failed: false, changes: { update: 1, same: 3 } });

    const labels = service.channels().map(({ label }) => label);
    expect(labels.sort()).toEqual(["Ops by day", "Own", desk.label]);
  });

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
