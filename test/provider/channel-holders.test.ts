import { ChannelHolders } from "../../src/provider/channel-holders";

// A service may write an id otherwise than a program does.
describe.each([
  ["as it was noted", "A1-b2", "A1-b2"],
  ["in lower case", "A1-b2", "a1-b2"],
  ["in upper case", "a1-b2", "A1-B2"],
])("a channel whose id is given %s", (_case, noted, asked) => {
  const holders = new ChannelHolders();
  beforeEach(() => holders.release(asked));

  test("has a resource that keeps it, and was not claimed in this run", () => {
    expect(holders.has(asked)).toBe(false);
    holders.note(noted, {});
    expect([holders.has(asked), holders.isClaimed(asked)]).toEqual([true, false]);
  });

  test("is claimed by one that has got it in this run", () => {
    holders.hold(noted);
    expect([holders.has(asked), holders.isClaimed(asked)]).toEqual([true, true]);
  });

  test("belongs to the resource that took it over last, and to no other one", () => {
    expect(holders.hasAnother(asked, {})).toBe(false);
    holders.hold(noted);
    expect(holders.hasAnother(asked, {})).toBe(false);
    const former = holders.claim(noted);
    expect([holders.hasAnother(asked, former), holders.hasAnother(asked, {})]).toEqual([false, true]);
    const next = holders.claim(noted);
    expect([holders.hasAnother(asked, next), holders.hasAnother(asked, former)]).toEqual([false, true]);
    expect(next.adoption).toMatch(/^[0-9a-f]{8}$/);
  });

  test("has none once it is released", () => {
    const mark = holders.claim(noted);
    holders.release(asked);
    expect([holders.has(asked), holders.isClaimed(asked)]).toEqual([false, false]);
    expect(holders.hasAnother(asked, mark)).toBe(false);
    expect(holders.hasAnother(asked, {})).toBe(false);
  });

  test("is to be replaced once that was noted", () => {
    expect(holders.isReplaced("another")).toBe(false);
    holders.noteReplaced(noted);
    expect(holders.isReplaced(asked)).toBe(true);
  });
});
