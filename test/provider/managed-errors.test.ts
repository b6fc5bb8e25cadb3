import { DomainMonitoringError } from "../../src/client";
import { isUnclear } from "../../src/provider/creations";
import {
  type Advice,
  failure,
  isWritten,
  lettingGo,
  SET_CREATE_ONLY,
  staleToken,
} from "../../src/provider/managed/errors";

const STALE_TOKEN = staleToken(true);
const LETTING_GO = lettingGo(() => "pulumi config set domain-monitoring:abandon 1");

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
  [403, [SET_CREATE_ONLY, LETTING_GO]],
  [404, [SET_CREATE_ONLY, LETTING_GO]],
  [429, []],
  [500, [LETTING_GO]],
  [undefined, []],
])("an answer of %s is followed by the advice that helps", (status, expected) => {
  const error = new DomainMonitoringError("http", "it answered", { status });
  const { message } = failure("not deleted", error, SET_CREATE_ONLY, LETTING_GO, STALE_TOKEN);
  expect(message).toEqual(stringContaining("not deleted: it answered"));
  for (const advice of [SET_CREATE_ONLY, LETTING_GO, STALE_TOKEN])
    expect([advice.text(), message.includes(advice.text())]).toEqual([
      advice.text(),
      expected.includes(advice),
    ]);
});

test("what is no answer is followed by no advice", () => {
  expect(failure("not deleted", new Error("no idea"), SET_CREATE_ONLY, LETTING_GO, STALE_TOKEN).message).toBe(
    "not deleted: no idea",
  );
});

test("a token that is not in the state is not taken for that of the last update", () => {
  const error = new DomainMonitoringError("http", "it answered", { status: 401 });
  expect(failure("not read", error, staleToken(false)).message).toBe("not read: it answered");
});
