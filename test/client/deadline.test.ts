/** The one limit of a call. Time stands still here unless it is moved. */
import { Deadline } from "../../src/client/internal/limits";

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

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
  let awake = false;
  const sleeping = deadline.sleep(10.2).then(() => {
    awake = true;
  });

  await jest.advanceTimersByTimeAsync(10);

  expect(awake).toBe(false);

  await jest.advanceTimersByTimeAsync(1);
  await sleeping;

  expect(awake).toBe(true);
  expect(deadline.ended).toBeUndefined();
});
