/** Fault rules as they are written on a command line. */
import { type FaultRule, readFaultRule } from "../../../../src/testing/emulator";

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
    ["status=500,probability=0.25,seed=-3", { status: 500, probability: 0.25, seed: -3 }],
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
