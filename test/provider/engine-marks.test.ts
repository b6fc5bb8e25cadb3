/** The engine's marks, and ids that the state can have. */
import {
  UNKNOWN_VALUES as ofOfflineEngine,
  SIGNATURE_KEY,
} from "../../packages/pulumi-offline/src/state/values";
import { isId } from "../../src/client/rules";
import {
  harmless,
  hasUnknown,
  isRecordable,
  SECRET_MARKER,
  UNKNOWN_VALUES,
} from "../../src/provider/boundary";

const marks = Object.entries(UNKNOWN_VALUES);

test("the offline engine has the same marks", () => {
  expect(ofOfflineEngine).toEqual(UNKNOWN_VALUES);
  expect(SIGNATURE_KEY).toBe(SECRET_MARKER.key);
});

describe.each(marks)("the mark of an unknown %s", (_type, mark) => {
  test("is found at any depth", () => {
    expect(hasUnknown({ list: [{ deep: mark }] })).toBe(true);
    expect(hasUnknown({ [mark]: `${mark}.` })).toBe(false);
  });

  test("is altered in a text or key of the service, and kept if it may be the engine's", () => {
    const altered = `\ufffd${mark.slice(1)}`;

    expect(harmless({ text: mark, [mark]: [mark] })).toEqual({
      text: altered,
      [altered]: [altered],
    });

    expect(harmless({ text: mark }, true)).toEqual({ text: mark });
  });

  test("is an id that cannot be recorded", () => {
    expect(isId(mark)).toBe(true);
    expect(isRecordable(mark)).toBe(false);
  });
});

test.each(["0", "a.b_c-D", "..a", "11111111-1111-4111-8111-111111111111", "x".repeat(64)])(
  "%s is an id",
  (id) => expect(isId(id)).toBe(true),
);

test.each(["", ".", "...", " a", "a/b", "a\n", "x; curl", "ä", "$x", "x".repeat(65), 7, null])(
  "%j is not an id",
  (id) => expect(isId(id)).toBe(false),
);
