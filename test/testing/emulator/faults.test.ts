import { type Emulator, type FaultRule, readFaultRule } from "../../../src/testing/emulator";
import { Faults } from "../../../src/testing/emulator/faults";
import { closeEmulators, emulatorForTest, get, HEALTHY, postChannel } from "./support";

afterEach(closeEmulators);

const channel = { label: "On call", type: "email", value: "on-call@example.com" };
const domain = (emulator: Emulator) => get(emulator, `/api/domains/${HEALTHY}`);

describe("a fault with a status", () => {
  it("takes the place of the work, once", async () => {
    const emulator = await emulatorForTest();
    emulator.fault({ status: 503, headers: { "Retry-After": "7" } });

    const failed = await postChannel(emulator, channel);
    const served = await postChannel(emulator, channel);

    expect(failed.status).toBe(503);
    expect(failed.headers.get("Retry-After")).toBe("7");
    expect(await failed.json()).toEqual({ message: "Service Unavailable" });
    expect(served.status).toBe(201);
    expect(emulator.channels()).toHaveLength(1);
  });

  it("sends the given body: text as a web page, anything else as JSON", async () => {
    const emulator = await emulatorForTest({
      faults: [
        { status: 502, body: "<html>Bad gateway</html>" },
        { status: 429, body: { retry_after: 3 } },
        { status: 200, body: null },
        { status: 200, body: "{}", headers: { "Content-Type": "application/json" } },
        { status: 204 },
      ],
    });

    const answers = [];
    for (let count = 0; count < 5; count += 1) {
      const answer = await domain(emulator);
      answers.push([answer.status, answer.headers.get("Content-Type"), await answer.text()]);
    }

    expect(answers).toEqual([
      [502, "text/html; charset=UTF-8", "<html>Bad gateway</html>"],
      [429, "application/json", '{"retry_after":3}'],
      [200, "application/json", "null"],
      [200, "application/json", "{}"],
      [204, null, ""],
    ]);
  });

  it("hits its operation only", async () => {
    const emulator = await emulatorForTest({ faults: [{ operation: "listDnsChanges", status: 500 }] });

    expect((await domain(emulator)).status).toBe(200);
    expect((await get(emulator, `/api/domains/${HEALTHY}/changes/whois`)).status).toBe(200);
    expect((await get(emulator, `/api/domains/${HEALTHY}/changes/dns`)).status).toBe(500);
    expect((await get(emulator, `/api/domains/${HEALTHY}/changes/dns`)).status).toBe(200);
  });

  it("lets the first requests pass and hits as many as it says", async () => {
    const emulator = await emulatorForTest({ faults: [{ after: 1, times: 2, status: 500 }] });

    const statuses = [];
    for (let count = 0; count < 5; count += 1) statuses.push((await domain(emulator)).status);

    expect(statuses).toEqual([200, 500, 500, 200, 200]);
  });

  it("does not hit a request with a wrong token or to no operation, which it does not count either", async () => {
    const emulator = await emulatorForTest({ faults: [{ status: 500 }] });

    expect((await fetch(`${emulator.url}/api/domains/${HEALTHY}`)).status).toBe(401);
    expect((await get(emulator, "/nowhere")).status).toBe(404);
    expect((await domain(emulator)).status).toBe(500);
  });

  it("comes before the domain is looked for and the input is checked", async () => {
    const emulator = await emulatorForTest({ faults: [{ times: 2, status: 500 }] });

    expect((await get(emulator, "/api/domains/nobody")).status).toBe(500);
    expect((await postChannel(emulator, {})).status).toBe(500);
  });
});

describe("fault rules", () => {
  const statusesOf = (rules: FaultRule[], requests: number) => {
    const faults = new Faults(rules, { lifecycle: "create-only", listDomains: true });
    return Array.from({ length: requests }, () => faults.take("getDomain")?.status);
  };

  it("hit one after the other in the order in which they were made", () => {
    expect(statusesOf([{ status: 500 }, { status: 503, times: 2 }], 4)).toEqual([500, 503, 503, undefined]);
  });

  it("count every matching request that passes, also those that another rule hits", () => {
    expect(
      statusesOf(
        [
          { after: 1, status: 500 },
          { after: 2, status: 503 },
        ],
        4,
      ),
    ).toEqual([undefined, 500, 503, undefined]);
  });

  it.each<[rule: Record<string, unknown>, reason: string]>([
    [{}, "a fault needs one of status, headers, garbage"],
    [{ garbage: false }, "needs one of"],
    [{ body: "x", delayMs: 1 }, "`body` needs a `status`"],
    [{ status: 99 }, "a fault's `status` must be a whole number from 200 to 599"],
    [{ status: 600 }, "`status` must be a whole number from 200 to 599"],
    [{ status: "500" }, "`status` must be a whole number from 200 to 599"],
    [{ status: 500, times: 0 }, '`times` must be at least 1, or "always"'],
    [{ status: 500, times: "ever" }, '`times` must be at least 1, or "always"'],
    [{ status: 500, after: -1 }, "`after` must not be negative"],
    [{ status: 500, after: Number.NaN }, "`after` must be a number"],
    [{ delayMs: 0 }, "`delayMs` must be a whole number of milliseconds"],
    [{ delayMs: 2 ** 31 }, "`delayMs` must be a whole number of milliseconds"],
    [{ truncate: -1 }, "`truncate` must be a whole number of bytes"],
    [{ headers: { "Retry-After": 7 } }, "`headers.Retry-After` must be text"],
    [{ reset: "headers", stall: "body" }, "`stall` cannot be combined with `reset`"],
    [
      { reset: "before", status: 500 },
      '`status` has no effect with `reset: "before"`, which sends no answer',
    ],
    [{ stall: "after", truncate: 1 }, '`truncate` has no effect with `stall: "after"`'],
    [
      { status: 204, garbage: true },
      "`garbage` has no effect with the status 204, whose answers have no body",
    ],
    [{ status: 304, stall: "body" }, "`stall` has no effect with the status 304"],
  ])("are refused where they could not have their effect: %j", async (rule, reason) => {
    const emulator = await emulatorForTest();

    expect(() => emulator.fault(rule)).toThrow(RangeError);
    expect(() => emulator.fault(rule)).toThrow(reason);
  });

  it("are refused at the start as well", async () => {
    await expect(emulatorForTest({ faults: [{}] })).rejects.toThrow("a fault needs one of status");
  });

  it("do not change with the object that they were made from", async () => {
    const rule: FaultRule = { status: 500, headers: { "Retry-After": "7" } };
    const emulator = await emulatorForTest({ faults: [rule] });

    rule.status = 204;
    rule.headers = {};

    const answer = await domain(emulator);
    expect([answer.status, answer.headers.get("Retry-After")]).toEqual([500, "7"]);
  });

  it("hit every request if they say so", () => {
    expect(statusesOf([{ status: 500, times: "always" }], 9)).toEqual(Array(9).fill(500));
  });
});

describe("a fault rule as text", () => {
  it.each<[text: string, rule: FaultRule]>([
    ["status=503", { status: 503 }],
    ["*:status=503", { status: 503 }],
    [
      "createNotificationChannel:reset=after,times=2",
      { operation: "createNotificationChannel", reset: "after", times: 2 },
    ],
    [" getDomain:delayMs=5, after=1 ", { operation: "getDomain", delayMs: 5, after: 1 }],
    ["garbage=true,times=always", { garbage: true, times: "always" }],
    [
      "status=429,headers.Retry-After=7,headers.X-A=a=b",
      { status: 429, headers: { "Retry-After": "7", "X-A": "a=b" } },
    ],
    [
      "status=500,body=5,headers.Content-Type=a/b:c",
      { status: 500, body: "5", headers: { "Content-Type": "a/b:c" } },
    ],
    ['{"status":500,"body":{"a":[1,2]}}', { status: 500, body: { a: [1, 2] } }],
  ])("%s", (text, rule) => {
    expect(readFaultRule(text)).toEqual(rule);
  });

  it.each([
    ["", '"" is not of the form name=value'],
    ["getDomain", '"getDomain" is not of the form name=value'],
    ["status=500,,times=2", '"" is not of the form name=value'],
    ["status=soon", "a fault's `status` must be a whole number from 200 to 599"],
    ["getDomains:status=500", "a fault's `operation` must be one of getDomain, "],
    ["reset=never", "a fault's `reset` must be one of before, after, headers, body"],
    ["drip.chunkBytes=1", "a fault has no `drip.chunkBytes`: use "],
    ["{status: 500}", "not valid JSON: use an object such as "],
  ])("%j is refused with the reason", (text, reason) => {
    expect(() => readFaultRule(text)).toThrow(RangeError);
    expect(() => readFaultRule(text)).toThrow(reason);
  });
});
