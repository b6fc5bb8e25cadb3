/** A service for each test. */
import {
  type Emulator,
  type EmulatorOptions,
  startEmulator,
} from "../../packages/domain-monitoring-emulator/src";

/** Starts a service before each test of a file or a `describe`, and closes it after the test. */
export function useEmulator(options: EmulatorOptions = {}): Emulator {
  let service: Emulator;

  beforeEach(async () => {
    service = await startEmulator(options);
  });

  afterEach(() => service.close());

  return standInFor(() => service);
}

/** An object whose members are those of the one that the running test has. */
export function standInFor<T extends object>(current: () => T): T {
  return new Proxy({} as T, {
    get(_target, name) {
      const object = current();
      const value = Reflect.get(object, name);
      return typeof value === "function" ? value.bind(object) : value;
    },
  });
}

type NameOf = (request: Emulator["requests"][number]) => string | string[];

/** @returns a function that names the requests since its last call in this test */
export function useRequests(
  service: Emulator,
  nameOf: NameOf = ({ operation, method }) => operation ?? method,
): () => string[] {
  let counted = 0;

  beforeEach(() => {
    counted = 0;
  });

  return () => {
    const names = service.requests.flatMap(nameOf);
    const since = names.slice(counted);
    counted = names.length;

    return since;
  };
}
