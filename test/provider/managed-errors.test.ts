import { DomainMonitoringError } from "../../src/client";
import {
  type Advice,
  failure,
  isUnclear,
  isWritten,
  STALE_TOKEN,
  WAY_BACK,
  WAYS_OUT,
} from "../../src/provider/managed-errors";

const { stringContaining } = expect;

test.each([
  [new DomainMonitoringError("response", "no JSON", { status: 200 }), true],
  [new DomainMonitoringError("response", "no JSON", { status: 299 }), true],
  [new DomainMonitoringError("response", "no JSON", { status: 199 }), false],
  [new DomainMonitoringError("response", "no JSON", { status: 300 }), false],
  [new DomainMonitoringError("response", "no JSON", { status: 500 }), false],
  [new DomainMonitoringError("response", "no JSON"), false],
  [new DomainMonitoringError("http", "answered 200", { status: 200 }), false],
  [Object.assign(new Error("another's"), { kind: "response", status: 200 }), false],
])("of %j, the service answered with success: %s", (error, expected) => {
  expect(isWritten(error)).toBe(expected);
});

test.each([
  [new DomainMonitoringError("transport", "lost", { sent: "maybe" }), true],
  [new DomainMonitoringError("response", "no JSON", { sent: "yes" }), true],
  [new DomainMonitoringError("transport", "refused", { sent: "no" }), false],
  [new DomainMonitoringError("http", "answered 404", { sent: "yes" }), false],
  [Object.assign(new Error("another's"), { kind: "response", sent: "maybe" }), false],
])("of %j, the change may have been carried out all the same: %s", (error, expected) => {
  expect(isUnclear(error)).toBe(expected);
});

test.each<[number | undefined, Advice[]]>([
  [401, [STALE_TOKEN]],
  [403, [WAY_BACK, WAYS_OUT]],
  [404, [WAY_BACK, WAYS_OUT]],
  [429, []],
  [500, [WAYS_OUT]],
  [undefined, []],
])("an answer of %s is followed by the advice that helps", (status, expected) => {
  const error = new DomainMonitoringError("http", "it answered", { status });
  const { message } = failure("not deleted", error, WAY_BACK, WAYS_OUT, STALE_TOKEN);
  expect(message).toEqual(stringContaining("not deleted: it answered"));
  for (const advice of [WAY_BACK, WAYS_OUT, STALE_TOKEN])
    expect([advice.text, message.includes(advice.text)]).toEqual([advice.text, expected.includes(advice)]);
});

test("what is no answer is followed by no advice", () => {
  expect(failure("not deleted", new Error("no idea"), WAY_BACK, WAYS_OUT, STALE_TOKEN).message).toBe(
    "not deleted: no idea",
  );
});
