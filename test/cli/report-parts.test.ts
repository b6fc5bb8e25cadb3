import fc from "fast-check";
import { mapLimit, outcomeOf } from "../../src/cli/calls";
import { showProgress } from "../../src/cli/progress";
import { describeDns, describeWhois, readChanges } from "../../src/cli/report/changes";
import { timeScale } from "../../src/cli/report/time-scale";
import { cut, plain, toJson, width } from "../../src/cli/text";
import { DomainMonitoringClient, DomainMonitoringError } from "../../src/client";
import type { DnsChange, SslComponent } from "../../src/client/types";
import { certificateReport } from "../../src/rules/certificate";
import { type Emulator, startEmulator } from "../../src/testing/emulator";
import { registered } from "./sample";

describe("reading many domains", () => {
  it("runs a few requests at a time, keeps the order and counts", async () => {
    const waiting: (() => void)[] = [];
    let underWay = 0;
    let most = 0;
    let counted = 0;
    const ask = async (item: number) => {
      underWay++;
      most = Math.max(most, underWay);
      await new Promise<void>((resolve) => waiting.push(resolve));
      underWay--;
      return item * 10;
    };
    const asked = mapLimit([1, 2, 3, 4, 5, 6, 7], 3, ask, () => counted++);
    // The latest question is answered first, again and again.
    while (counted < 7) {
      waiting.pop()?.();
      await new Promise(setImmediate);
    }
    expect(await asked).toEqual([10, 20, 30, 40, 50, 60, 70]);
    expect(most).toBe(3);
  });

  it("turns the client's errors into data and rethrows programming errors", async () => {
    const refused = Promise.reject(
      new DomainMonitoringError("http", "GET /x: answered 404", { status: 404 }),
    );
    expect(await outcomeOf(refused)).toEqual({
      failure: { kind: "http", status: 404, message: "GET /x: answered 404" },
    });
    await expect(outcomeOf(Promise.reject(new TypeError("ours")))).rejects.toThrow("ours");
    expect(await outcomeOf(Promise.resolve(1))).toEqual({ value: 1 });
  });
});

describe("the progress bar", () => {
  function stream(terminal: { isTTY?: boolean; columns?: number }) {
    const written: string[] = [];
    return { ...terminal, written, write: (text: string) => written.push(text) };
  }
  function begun(total: number, terminal: ReturnType<typeof stream>, environment: NodeJS.ProcessEnv = {}) {
    const progress = showProgress(terminal, environment);
    progress.begin("domains", total);
    return progress;
  }

  it("counts on a terminal and clears its line at the end", () => {
    const terminal = stream({ isTTY: true, columns: 80 });
    const progress = begun(2, terminal);
    progress.step();
    progress.step();
    progress.end();
    progress.end();
    expect(terminal.written).toEqual([
      `\r\u001b[K${"░".repeat(30)} 0/2 domains`,
      `\r\u001b[K${"█".repeat(15)}${"░".repeat(15)} 1/2 domains`,
      `\r\u001b[K${"█".repeat(30)} 2/2 domains`,
      "\r\u001b[K",
    ]);
  });

  it("says that it waits for the rate limit until the next result", () => {
    const terminal = stream({ isTTY: true, columns: 80 });
    const progress = begun(2, terminal);
    progress.wait(41_200);
    progress.step();
    progress.end();
    progress.wait(1000);
    expect(terminal.written.slice(1)).toEqual([
      `\r\u001b[K${"░".repeat(30)} 0/2 domains, waiting 42 s for the rate limit`,
      `\r\u001b[K${"█".repeat(15)}${"░".repeat(15)} 1/2 domains`,
      "\r\u001b[K",
    ]);
  });

  it("counts what it does not know the number of, and then begins anew", () => {
    const terminal = stream({ isTTY: true, columns: 80 });
    const progress = showProgress(terminal, {});
    progress.wait(1000);
    progress.begin("domains listed");
    progress.wait(41_200);
    progress.step();
    progress.begin("domains", 1);
    expect(terminal.written.map((text) => text.replace("\r\u001b[K", ""))).toEqual([
      "0 domains listed",
      "0 domains listed, waiting 42 s for the rate limit",
      "1 domains listed",
      `${"░".repeat(30)} 0/1 domains`,
    ]);
  });

  it.each([5, 12, 20, 40])("fits into %d columns or shows only the count", (columns) => {
    const terminal = stream({ isTTY: true, columns });
    begun(3, terminal).wait(60_000);
    for (const shown of terminal.written.map((text) => text.replace("\r\u001b[K", ""))) {
      expect(shown.length).toBeLessThanOrEqual(Math.max(columns, "0/3 domains".length));
    }
  });

  it("writes nothing if there is no terminal", () => {
    const file = stream({});
    const progress = begun(2, file);
    progress.step();
    progress.end();
    expect(file.written).toEqual([]);
  });

  it.each([
    [{ TERM: "dumb" }, false],
    [{ CI: "true" }, false],
    [{ CI: "1", TERM: "xterm" }, false],
    [{ CI: "false", TERM: "xterm" }, true],
    [{ CI: "" }, true],
  ])("where the environment has %j, it is drawn: %s", (environment, isDrawn) => {
    const terminal = stream({ isTTY: true, columns: 80 });
    const progress = begun(1, terminal, environment);
    progress.step();
    progress.wait(1000);
    progress.end();
    expect(terminal.written.length > 0).toBe(isDrawn);
  });
});

describe("text on a terminal", () => {
  // An emoji of several characters, a Persian word with U+200C, and a conjunct of Devanagari with U+200D.
  it.each([
    ["👨🏽\u200d💻", 2],
    ["❤\ufe0f\u200d🔥", 2],
    ["🇩🇪", 2],
    ["می\u200cخواهم", 7],
    ["क्\u200dष", 2],
  ])("keeps the joiners of %j, and counts its %d columns", (text, columns) => {
    expect(plain(`a\u202e ${text}\u200b`)).toBe(`a ${text}`);
    expect(toJson({ text })).toContain(text);
    expect(width(text)).toBe(columns);
    expect(cut(`${text}abc`, columns + 1)).toBe(`${text}…`);
    expect(cut(`${text}abc`, columns)).toBe(columns === 2 ? "…" : `${text.slice(0, -1)}…`);
  });

  it("is never wider than requested", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.integer({ min: 1, max: 40 }), (text, columns) => {
        expect(width(cut(text, columns))).toBeLessThanOrEqual(columns);
      }),
    );
  });
});

describe("a certificate", () => {
  const now = new Date("2026-03-01T08:30:00Z");
  const ssl: SslComponent = {
    isEnabled: true,
    issuer: "Example Certificate Authority",
    organization: null,
    expiresAt: "2026-04-30 12:00:00",
    lastCheckedAt: "2026-03-01 06:00:00",
    lastFoundInvalidAt: null,
    lastConsideredValidAt: "2026-03-01 06:00:00",
    hasChangedRecently: false,
  };

  it.each([
    ["ok", {}],
    ["unmonitored", { isEnabled: false }],
    ["unknown", { expiresAt: null }],
    ["unreadable", { expiresAt: "next spring" }],
    ["unreadable", { expiresAt: "2026-02-30T12:00:00+00:00" }],
    ["unreadable", { expiresAt: "" }],
    ["expired", { expiresAt: "2020-01-31T08:30:00+00:00" }],
    ["expired", { expiresAt: "2026-03-01T10:29:59+02:00" }],
    ["ok", { expiresAt: "2026-03-01T10:30:01+02:00" }],
    ["ok", { expiresAt: "2026-03-01T03:30:01-0500" }],
    ["ok", { expiresAt: "9999-12-31T23:59:59-05:00" }],
    ["expired", { expiresAt: "2026-03-01T08:29:59Z" }],
    ["ok", { expiresAt: "2026-03-01T08:30:01Z" }],
    ["ok", { expiresAt: "2026-03-01" }],
    ["expired", { expiresAt: "2026-02-28" }],
    ["invalid", { lastFoundInvalidAt: "2026-03-01 07:00:00" }],
    ["invalid", { lastFoundInvalidAt: "2026-03-01 07:00:00", lastConsideredValidAt: null }],
    ["ok", { lastFoundInvalidAt: "2026-02-01 07:00:00" }],
    ["invalid", { lastFoundInvalidAt: "2026-03-01T08:00:01+02:00" }],
    ["ok", { lastFoundInvalidAt: "2026-03-01T07:59:59+02:00" }],
    ["unreadable", { lastFoundInvalidAt: "lately" }],
    ["unreadable", { lastFoundInvalidAt: "lately", expiresAt: null }],
    ["unreadable", { lastFoundInvalidAt: "2026-02-01 07:00:00", lastConsideredValidAt: "lately" }],
    ["ok", { lastConsideredValidAt: "lately" }],
    ["expired", { lastFoundInvalidAt: "lately", expiresAt: "2026-02-28" }],
    ["invalid", { lastFoundInvalidAt: "2026-03-01 07:00:00", expiresAt: "next spring" }],
    ["unmonitored", { isEnabled: false, expiresAt: "next spring" }],
  ])("is %s with %j", (status, changed) => {
    expect(certificateReport({ ...ssl, ...changed }, now).status).toBe(status);
  });

  it("keeps the date as served and counts UTC days", () => {
    expect(certificateReport(ssl, now)).toMatchObject({ expiresAt: "2026-04-30 12:00:00", daysLeft: 60 });
    // In UTC the next day.
    const late = "2026-04-30T23:00:00-05:00";
    expect(certificateReport({ ...ssl, expiresAt: late }, now)).toMatchObject({
      expiresAt: late,
      daysLeft: 61,
    });
  });

  it("names each date that cannot be read, with the original string", () => {
    const dates = { expiresAt: "next spring", lastFoundInvalidAt: "lately", lastConsideredValidAt: "once" };
    expect(certificateReport({ ...ssl, ...dates }, now)).toMatchObject({
      expiresAt: "next spring",
      daysLeft: null,
      unreadable: [
        { field: "expiresAt", value: "next spring" },
        { field: "lastFoundInvalidAt", value: "lately" },
        { field: "lastConsideredValidAt", value: "once" },
      ],
    });
    expect(certificateReport({ ...ssl, ...dates, isEnabled: false }, now).unreadable).toEqual([]);
  });
});

describe("changes as text", () => {
  const change: DnsChange = {
    id: "b1",
    domainId: 1,
    fieldChanged: "mx_records",
    fieldChangedHuman: "MX",
    oldValue: '[{"host":"@","value":"mail.example.com","ttl":3600,"priority":10}]',
    newValue: '[{"host":"@","value":"mail.example.net","ttl":3600,"priority":10}]',
    oldValueFormatted: null,
    newValueFormatted: null,
    changeSummary: "1 record replaced",
    diff: null,
    identifier: "x",
    createdAt: "2026-02-25 10:00:00",
    createdAtHuman: null,
  };

  it("name the records that were added, removed and altered", () => {
    expect(describeDns(change)).toBe("MX: altered @: value mail.example.com is now mail.example.net");
    expect(describeDns({ ...change, oldValue: "[]" })).toBe(
      "MX: added @ mail.example.net (ttl 3600, priority 10)",
    );
    expect(describeDns({ ...change, newValue: "[]" })).toBe(
      "MX: removed @ mail.example.com (ttl 3600, priority 10)",
    );
  });

  it("quote the service if its values cannot be decoded", () => {
    expect(describeDns({ ...change, oldValue: "gone" })).toBe("MX: 1 record replaced");
    expect(describeDns({ ...change, oldValue: "", newValue: "new", changeSummary: null })).toBe(
      "MX: nothing → new",
    );
    expect(describeDns({ ...change, fieldChanged: "other", oldValue: null, changeSummary: null })).toBe(
      `other: nothing → ${change.newValue}`,
    );
  });

  it("list the hosts of name servers", () => {
    const whois = { ...change, fieldChanged: "nameservers", oldValue: '["a","b"]', newValue: null };
    expect(describeWhois(whois)).toBe("nameservers: a, b → nothing");
    expect(describeWhois({ ...whois, oldValue: "no JSON" })).toBe("nameservers: no JSON → nothing");
  });
});

describe("the changes of a domain", () => {
  let service: Emulator;
  let client: DomainMonitoringClient;

  beforeEach(async () => {
    service = await startEmulator({ domains: [] });
    client = new DomainMonitoringClient({ baseUrl: service.url, apiToken: service.token });
  });
  afterEach(async () => {
    await client.close();
    await service.close();
  });

  it("are those since a date, newest first, including one with an unreadable date", async () => {
    const whoisChanges = [
      "2026-01-01 00:00:00",
      "2026-02-01 00:00:00",
      "some day",
      "2026-01-31 23:59:59",
    ].map((createdAt, index) => ({ id: `c${index}`, createdAt }));
    const id = service.addDomain({ whoisChanges });
    const read = await readChanges(client.whoisChanges, id, "2026-02-01", describeWhois);
    expect(read.count).toBe(2);
    expect(read.changes.map((change) => change.id)).toEqual(["c2", "c1"]);
  });

  it("are limited to a thousand, but all are counted", async () => {
    const dnsChanges = Array.from({ length: 1050 }, () => ({ createdAt: "2026-02-01 00:00:00" }));
    const id = service.addDomain({ dnsChanges });
    const read = await readChanges(client.dnsChanges, id, "2026-01-01", describeDns);
    expect([read.count, read.changes.length]).toEqual([1050, 1000]);
  });
});

describe("the scale of the timeline", () => {
  const now = new Date("2026-03-01T08:30:00Z");
  const dated = (date: string) => registered("example.com", "ok", date, 0);

  it("places days in order and within its bounds, with ticks that do not overlap", () => {
    const day = fc.integer({ min: -4000, max: 4000 });
    fc.assert(
      fc.property(fc.array(day, { maxLength: 20 }), fc.integer({ min: 0, max: 36_500 }), (days, bound) => {
        const instants = days.map((offset) => new Date(now.getTime() + offset * 86_400_000));
        const domains = instants.map((instant) => dated(instant.toISOString().slice(0, 10)));
        const scale = timeScale(domains, now, bound, 200, 700);
        const sorted = [...instants, now].sort((a, b) => a.getTime() - b.getTime());
        const places = sorted.map((instant) => scale.position(instant).x);
        expect(places).toEqual([...places].sort((a, b) => a - b));
        expect(places.every((x) => x >= 200 && x <= 700)).toBe(true);
        const gaps = scale.ticks.slice(1).map(({ x }, index) => x - (scale.ticks[index]?.x ?? 0));
        expect(scale.ticks.length).toBeGreaterThan(0);
        expect(gaps.every((gap) => gap > 45)).toBe(true);
      }),
    );
  });

  it("shows distant dates at its edge", () => {
    const scale = timeScale([dated("2040-01-01"), dated("2001-01-01")], now, 30, 0, 500);
    expect(scale.position(new Date("2040-01-01"))).toEqual({ x: 500, beyond: "after" });
    expect(scale.position(new Date("2001-01-01"))).toEqual({ x: 0, beyond: "before" });
    expect(scale.position(now).beyond).toBeUndefined();
  });
});
