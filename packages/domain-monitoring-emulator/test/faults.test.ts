/** Rules of faults: which are valid, which request each hits, what one with a status answers. */
import type { EmulatorOperation, FaultRule } from "../src";
import { readFaultRule } from "../src/faults";
import { at, channel } from "./examples";
import { ask, emulatorForTest, managedForTest, send, statuses } from "./support";

describe("a fault", () => {
  it("a fault with a status takes the place of the work, once", async () => {
    const emulator = await emulatorForTest();
    emulator.fault({ status: 503, headers: { "Retry-After": "7" } });
    const failed = await send(emulator, `POST ${at.channels}`, channel);
    expect(failed.status).toBe(503);
    expect(failed.headers.get("Retry-After")).toBe("7");
    expect(await failed.json()).toEqual({ message: "Service Unavailable" });
    expect(emulator.channels()).toEqual([]);
    expect(await ask(emulator, `POST ${at.channels}`, channel)).toMatchObject({ status: 201 });
  });

  it.each<[rule: FaultRule, status: number, type: string | null, text: string]>([
    [{ status: 502, body: "<b>Bad</b>" }, 502, "text/html; charset=UTF-8", "<b>Bad</b>"],
    [{ status: 429, body: { message: "No." } }, 429, "application/json", '{"message":"No."}'],
    [{ status: 200, body: null }, 200, "application/json", "null"],
    [{ status: 200, body: "{}", headers: { "Content-Type": "a/b" } }, 200, "a/b", "{}"],
    [{ status: 204 }, 204, null, ""],
  ])("sends text as a web page and anything else as JSON: %j", async (rule, status, type, text) => {
    const answer = await send(await emulatorForTest({ faults: [rule] }), `GET ${at.domain}`);
    expect(answer.status).toBe(status);
    expect(answer.headers.get("Content-Type")).toBe(type);
    expect(await answer.text()).toBe(text);
  });

  it("comes before the domain is looked for, and hits no request without the token or to no operation", async () => {
    const emulator = await emulatorForTest({ faults: [{ status: 500 }] });
    expect((await fetch(emulator.url + at.domain)).status).toBe(401);
    const requests = ["GET /nowhere", `GET ${at.domains}/nobody`, `GET ${at.domains}/nobody`];
    expect(await statuses(emulator, ...requests)).toEqual([404, 500, 404]);
  });

  const first = { after: 1, status: 500 };
  const second = { after: 2, status: 503 };

  it.each<[does: string, faults: FaultRule[], statuses: number[]]>([
    ["lets the first requests pass", [{ after: 1, times: 2, status: 500 }], [200, 500, 500, 200]],
    ["hits after an older one", [{ status: 500 }, { status: 503, times: 2 }], [500, 503, 503, 200]],
    ["counts what another one hits", [first, second], [200, 500, 503, 200]],
    ["hits every request if it says so", [{ status: 500, times: "always" }], Array(9).fill(500)],
  ])("%s: %j", async (_does, faults, expected) => {
    const reads: string[] = expected.map(() => `GET ${at.domain}`);
    expect(await statuses(await emulatorForTest({ faults }), ...reads)).toEqual(expected);
  });

  it("does not change with the object that it was made from", async () => {
    const rule: FaultRule = { status: 500, headers: { "Retry-After": "7" } };
    const emulator = await emulatorForTest({ faults: [rule] });
    rule.status = 204;
    rule.headers = {};
    const answer = await send(emulator, `GET ${at.domain}`);
    expect(answer.status).toBe(500);
    expect(answer.headers.get("Retry-After")).toBe("7");
  });

  it.each<[operation: EmulatorOperation, request: string, body: unknown]>([
    ["listDomains", `GET ${at.domains}`, undefined],
    ["createDomain", `POST ${at.domains}`, { domain: "shop.example", label: "Shop" }],
    ["updateDomain", `PATCH ${at.domain}`, { label: "Renamed" }],
    ["listNotificationChannels", `GET ${at.channels}`, undefined],
    ["getNotificationChannel", `GET ${at.channel}`, undefined],
    ["updateNotificationChannel", `PATCH ${at.channel}`, { label: "Renamed" }],
    ["deleteNotificationChannel", `DELETE ${at.channel}`, undefined],
  ])("hits %s alone, before or after its work", async (operation, request, body) => {
    const emulator = await managedForTest();
    const state = () => [emulator.domains(), emulator.channels()];
    const before = state();
    emulator.fault({ operation, status: 503 });
    emulator.fault({ operation, reset: "after" });

    expect(await statuses(emulator, `GET ${at.domain}`)).toEqual([200]);
    expect((await send(emulator, request, body)).status).toBe(503);
    expect(state()).toEqual(before);
    await expect(send(emulator, request, body)).rejects.toThrow();

    if (request.startsWith("GET")) expect(state()).toEqual(before);
    else expect(state()).not.toEqual(before);

    expect(emulator.requests.map(({ status }) => status)).toEqual([200, 503, 0]);
  });
});

describe("a fault rule", () => {
  it.each<[rule: Record<string, unknown>, reason: string]>([
    [{ garbage: false }, "a fault needs one of status, headers, garbage"],
    [{ body: "x", delayMs: 1 }, "`body` needs a `status`"],
    [{ status: 600 }, "`status` must be a whole number from 200 to 599"],
    [{ status: 500, times: 0 }, '`times` must be at least 1, or "always"'],
    [{ status: 500, after: -1 }, "`after` must not be negative"],
    [{ delayMs: 2 ** 31 }, "`delayMs` must be a whole number of milliseconds"],
    [{ truncate: -1 }, "`truncate` must be a whole number of bytes"],
    [{ headers: { "Retry-After": 7 } }, "`headers.Retry-After` must be text"],
    [{ reset: "headers", stall: "body" }, "`stall` cannot be combined with `reset`"],
    [{ reset: "before", status: 500 }, '`status` has no effect with `reset: "before"`, which'],
    [{ stall: "after", truncate: 1 }, '`truncate` has no effect with `stall: "after"`'],
    [{ status: 204, garbage: true }, "`garbage` has no effect with the status 204, whose"],
    [{ operation: "createDomain", delayMs: 1 }, "start the emulator with the lifecycle managed"],
    [{ operation: "listDomains", delayMs: 1 }, "start the emulator with the list of domains"],
  ])("is refused where it could not have its effect: %j", async (rule, reason) => {
    const emulator = await emulatorForTest({ listDomains: false });
    expect(() => emulator.fault(rule)).toThrow(RangeError);
    expect(() => emulator.fault(rule)).toThrow(reason);
  });

  it.each<[text: string, rule: FaultRule]>([
    ["status=503", { status: 503 }],
    ["*:status=503", { status: 503 }],
    ["createDomain:reset=after,times=2", { operation: "createDomain", reset: "after", times: 2 }],
    [" getDomain:delayMs=5, after=1 ", { operation: "getDomain", delayMs: 5, after: 1 }],
    ["garbage=true,times=always", { garbage: true, times: "always" }],
    ["status=429,headers.A-B=7,headers.C=a=b", { status: 429, headers: { "A-B": "7", C: "a=b" } }],
    ["status=500,body=5,headers.T=a/b:c", { status: 500, body: "5", headers: { T: "a/b:c" } }],
    ['{"status":500,"body":{"a":[1,2]}}', { status: 500, body: { a: [1, 2] } }],
  ])("may be written as %s", (text, rule) => {
    expect(readFaultRule(text)).toEqual(rule);
  });

  it.each([
    ["", '"" is not of the form name=value'],
    ["getDomain", '"getDomain" is not of the form name=value'],
    ["status=soon", "a fault's `status` must be a whole number from 200 to 599"],
    ["getDomains:status=500", "a fault's `operation` must be one of getDomain, "],
    ["reset=never", "a fault's `reset` must be one of before, after, headers, body"],
    ["drip.chunkBytes=1", "a fault has no `drip.chunkBytes`: use "],
    ["{status: 500}", "not valid JSON: use an object such as "],
  ])("written as %j is refused with the reason", (text, reason) => {
    expect(() => readFaultRule(text)).toThrow(RangeError);
    expect(() => readFaultRule(text)).toThrow(reason);
  });
});
