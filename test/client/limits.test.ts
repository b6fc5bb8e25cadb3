/** The two limits of a call, its time and who may send now. Time stands still unless it is moved. */
import { type Admission, Deadline, Limiter, sharedLimiter } from "../../src/client/internal/limits";

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

describe("the deadline", () => {
  test("ends once, with the first cause", async () => {
    const controller = new AbortController();
    const deadline = new Deadline(100, controller.signal);
    const ends: string[] = [];
    deadline.onEnd = () => ends.push(deadline.ended ?? "");
    await jest.advanceTimersByTimeAsync(99);

    expect(deadline.ended).toBeUndefined();

    controller.abort();
    await jest.advanceTimersByTimeAsync(10);
    expect(deadline.ended).toBe("aborted");
    expect(ends).toEqual(["aborted"]);
  });

  test("gives the remaining time of the monotonic clock, never less than zero", async () => {
    const deadline = new Deadline(100);
    await jest.advanceTimersByTimeAsync(30);

    expect(deadline.remainingMs).toBe(70);

    jest.setSystemTime(0);
    expect(deadline.remainingMs).toBe(70);

    await jest.advanceTimersByTimeAsync(200);
    expect(deadline.remainingMs).toBe(0);
    expect(deadline.ended).toBe("timeout");
  });

  test("ends a sleep, and leaves no timer behind", async () => {
    const controller = new AbortController();
    const deadline = new Deadline(100, controller.signal);
    const sleeping = deadline.sleep(50);
    controller.abort();
    await sleeping;
    deadline.clear();

    expect(jest.getTimerCount()).toBe(0);
  });

  test("sleeps for the whole time, and never for less than requested", async () => {
    const deadline = new Deadline(100);
    const wake = jest.fn();
    void deadline.sleep(10.2).then(wake);
    await jest.advanceTimersByTimeAsync(10);
    expect(wake).not.toHaveBeenCalled();

    await jest.advanceTimersByTimeAsync(1);
    expect(wake).toHaveBeenCalled();
    expect(deadline.ended).toBeUndefined();
  });
});

/** Enters, and notes how that came out. */
function enter(limiter: Limiter, deadline = new Deadline(1_000_000)): { entry?: Admission } {
  const noted: { entry?: Admission } = {};
  const entering = limiter.enter(deadline);
  if (typeof entering === "string") noted.entry = entering;
  else
    void entering.then((entry) => {
      noted.entry = entry;
    });

  return noted;
}

describe("the limiter", () => {
  test("admits calls up to the limit, and the others in order as slots become free", async () => {
    const limiter = new Limiter(2);
    const calls = [1, 2, 3, 4].map(() => enter(limiter));
    const entered = () => calls.map(({ entry }) => entry);

    expect(entered()).toEqual(["entered", "entered", undefined, undefined]);

    limiter.leave();
    await jest.advanceTimersByTimeAsync(0);
    expect(entered()).toEqual(["entered", "entered", "entered", undefined]);

    limiter.leave();
    await jest.advanceTimersByTimeAsync(0);
    expect(entered()[3]).toBe("entered");
  });

  test("passes on the slot of a call that ended in the queue", async () => {
    const limiter = new Limiter(1);
    enter(limiter);
    const second = enter(limiter, new Deadline(10));
    const third = enter(limiter);
    await jest.advanceTimersByTimeAsync(10);

    expect(second.entry).toBe("ended");
    expect(third.entry).toBeUndefined();

    limiter.leave();
    await jest.advanceTimersByTimeAsync(0);
    expect(third.entry).toBe("entered");
  });

  test("blocks every call until the rate limit ends, and not a millisecond less", async () => {
    const limiter = new Limiter(8);
    limiter.close(1000);
    const calls = [1, 2, 3].map(() => enter(limiter));
    await jest.advanceTimersByTimeAsync(999);

    expect(calls.map(({ entry }) => entry)).toEqual([undefined, undefined, undefined]);

    await jest.advanceTimersByTimeAsync(1);
    expect(calls.map(({ entry }) => entry)).toEqual(["entered", "entered", "entered"]);
  });

  test("rejects at once a call that cannot wait that long, whether it is queued or new", async () => {
    const limiter = new Limiter(1);
    enter(limiter);
    const waiting = enter(limiter, new Deadline(500));
    limiter.close(1000);
    await jest.advanceTimersByTimeAsync(0);

    expect(waiting.entry).toBe("closed");
    expect(enter(limiter, new Deadline(1000)).entry).toBe("closed");
    expect(enter(limiter, new Deadline(1001)).entry).toBeUndefined();
  });

  test("keeps the later end of two rate limits, in either order", async () => {
    const walls = [1000, 10];
    for (const inOrder of [walls, walls.toReversed()]) {
      const limiter = new Limiter(1);
      for (const wall of inOrder) limiter.close(wall);
      const call = enter(limiter);
      await jest.advanceTimersByTimeAsync(999);

      expect(call.entry).toBeUndefined();

      await jest.advanceTimersByTimeAsync(1);
      expect(call.entry).toBe("entered");
    }
  });

  test("is shared by all open clients of an account, with their lowest limit", () => {
    const account = { origin: "https://monitoring.example", pathPrefix: "", apiToken: "t1" };
    const wide = sharedLimiter(account, 8);
    const narrow = sharedLimiter(account, 2);

    expect(narrow.limiter).toBe(wide.limiter);
    expect(wide.limiter.limit).toBe(2);

    narrow.release();
    expect(wide.limiter.limit).toBe(8);

    for (const other of [{ apiToken: "t2" }, { pathPrefix: "/prefix" }])
      expect(sharedLimiter({ ...account, ...other }, 8).limiter).not.toBe(wide.limiter);

    wide.release();
    expect(sharedLimiter(account, 8).limiter).not.toBe(wide.limiter);
  });
});
