/** What a test has opened, closed again whatever became of the test. */

const open: (() => unknown)[] = [];

/** Registers how to close something. Closed in the order of opening: servers end what calls are left. */
export function closeLater(close: () => unknown): void {
  open.push(close);
}

/** For `afterEach`. */
export async function closeAll(): Promise<void> {
  for (const close of open.splice(0)) await close();
}
