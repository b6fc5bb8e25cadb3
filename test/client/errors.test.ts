/** The error class: recognized across copies of the package, and by its kind. */
import { inspect } from "node:util";
import { DomainMonitoringError } from "../../src/client";

describe("DomainMonitoringError.isInstance", () => {
  const own = new DomainMonitoringError("http", "got 404", { status: 404 });

  test("recognizes errors of another copy of the package, which instanceof does not", () => {
    jest.resetModules();
    const { DomainMonitoringError: Other }: typeof import("../../src/client") =
      require("../../src/client");
    const other = new Other("http", "got 404", { status: 404 });
    expect(other instanceof DomainMonitoringError).toBe(false);
    expect(DomainMonitoringError.isInstance(own)).toBe(true);
    expect(DomainMonitoringError.isInstance(other)).toBe(true);
    expect(Other.isInstance(own)).toBe(true);
    expect(Other.isInstance(other)).toBe(true);
  });

  test("recognizes a subclass, and does not change the result of instanceof", () => {
    class Own extends DomainMonitoringError {}
    expect(DomainMonitoringError.isInstance(new Own("aborted", "ended"))).toBe(true);
    expect(own instanceof Own).toBe(false);
  });

  test.each([
    ["another error", new Error("got 404")],
    ["an error of that shape", Object.assign(new Error("x"), { name: own.name, kind: "http" })],
    ["its JSON", own.toJSON()],
    ["null", null],
    ["a text", "DomainMonitoringError"],
  ])("rejects %s", (_kind, value) => {
    expect(DomainMonitoringError.isInstance(value)).toBe(false);
  });

  test("adds nothing to a rendering", () => {
    expect(inspect(own)).not.toContain("Symbol");
    expect(Object.keys(own)).toEqual(["name", "kind", "status"]);
  });
});
