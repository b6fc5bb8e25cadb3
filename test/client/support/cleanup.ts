/** Closes what a test has opened, whatever became of the test. */

const open: (() => unknown)[] = [];

/** Closes this after the test, in the order of opening: servers end what calls are left. */
export function closeLater(close: () => unknown): void {
  open.push(close);
}

/** Ends what each test has opened and mocked. Retries follow at once: full jitter from 0. */
export function isolateTests(): void {
  beforeEach(() => jest.spyOn(Math, "random").mockReturnValue(0));
  afterEach(async () => {
    jest.restoreAllMocks();
    await closeAll();
  });
}

/** Closes now what was opened. */
export async function closeAll(): Promise<void> {
  for (const close of open.splice(0)) await close();
}
