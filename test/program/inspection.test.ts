/**
 * How long an error is when it is inspected. Pulumi's run-time inspects in color whatever ends a
 * program, with all causes, and Node 20.20 and 22.23 take gigabytes to color some stacks: nothing
 * of ours may hand them one.
 */
import { inspect } from "node:util";
import * as pulumi from "@pulumi/pulumi";
import { getDomain, requireDomainExpiry } from "../../src";
import { endProgram } from "../../src/program/internal/sdk";
import { isolateTests } from "../client/support/cleanup";
import {
  clientOf,
  createChannel,
  failureOf,
  getDomain as readDomain,
} from "../client/support/client";
import { answer, fin, type Step, stall, startService } from "../client/support/service";
import { CLOSED_PORT } from "../client/support/sockets";
import { DOMAIN_ID } from "../client/support/wire";

/** A stack as V8 writes it, ten frames long, with one that a coloring inspector marks. */
const FRAMES = "\n    at create (/project/node_modules/@pulumi/pulumi/resource.js:1:1)".repeat(10);

isolateTests();
// Node's own limit; Jest raises it.
beforeEach(() => jest.replaceProperty(Error, "stackTraceLimit", 10));

const read = (step: Step) => async () => readDomain(await clientFor([step]));

const calls = Object.entries<() => Promise<unknown>>({
  "a refused token": read(answer(401, "")),
  "a refusal of values": read(answer(422, { message: "no", errors: { label: ["too short"] } })),
  HTML: read(answer(200, "<html>", { "content-type": "text/html" })),
  "JSON of another shape": read(answer(200, {})),
  "a connection that breaks": read(fin),
  silence: async () => readDomain(await clientFor([stall]), { timeoutMs: 50 }),
  "a closed port": () => readDomain(clientOf(`http://127.0.0.1:${CLOSED_PORT}`)),
  "no trusted certificate": async () => readDomain(await clientFor([], { tls: true })),
  "an answer to a create of another shape": async () =>
    createChannel(await clientFor([answer(201, { data: { id: 1 } })])),
  "wrong arguments": async () => (await clientFor([])).whoisChanges.list(DOMAIN_ID, { page: 0 }),
  "a wrong configuration": async () => clientOf("no address"),
});

async function clientFor(steps: Step[], options: { tls?: boolean } = {}) {
  const { url } = await startService(steps.length > 0 ? steps : undefined, options);
  return clientOf(url, { maxResponseBytes: 2000, maxRetries: 1 });
}

it.each(calls)("the error about %s shows one plain stack at most", async (_name, call) => {
  const error = await failureOf(call());
  for (const shown of inspectedInTrees(error)) {
    expect(framesOf(shown)).toBeLessThanOrEqual(10);
    expect(shown).toContain(error.message);
    expect(shown.length).toBeLessThan(4000);
  }

  for (let { cause } = error; cause !== undefined; { cause } = cause as Error) {
    expect(Object.getPrototypeOf(cause)).toBe(Error.prototype);

    const { stack, message, name } = cause as Error;
    expect(stack).toBe(`${name}: ${message}`);

    const known = ["message", "stack", "name", "code", "cause"];
    expect(known).toEqual(expect.arrayContaining(Object.getOwnPropertyNames(cause)));
  }
});

it("an error that ends a program shows its line alone", async () => {
  const client = await clientFor([]);
  const rule = { id: DOMAIN_ID, minimumDays: 36_500 };
  const broken = await requireDomainExpiry(rule, { client }).catch((e) => e);
  const failing = { client: await clientFor([answer(200, {})]) };
  const unreadable = await getDomain({ id: DOMAIN_ID }, failing).catch((e) => e);
  for (const error of [broken, unreadable, endProgram("the provider's settings are missing")]) {
    expect(pulumi.RunError.isInstance(error)).toBe(true);
    for (const shown of inspectedInTrees(error)) {
      expect(framesOf(shown)).toBe(0);
      expect(shown).toContain(error.message);
    }
  }
});

it("an error that ends a program keeps its line where the SDK puts the name of a property before it", () => {
  const error = endProgram("the provider's settings are missing");
  error.message = `error serializing property "domainId": ${error.message}`;
  expect(error.message).toBe("the provider's settings are missing");
});

it("an error of the client shows a plain program where it was called, and its facts", async () => {
  async function reportOnDomain(): Promise<unknown> {
    return await readDomain(await clientFor([answer(401, "")]));
  }

  const shown = inspect(await failureOf(reportOnDomain()), { colors: true });
  expect(shown).toMatch(/^DomainMonitoringError: GET .*\n {4}at /);
  expect(shown).toContain("reportOnDomain");
  expect(shown).toContain("status: 401");
});

it("an error with a stack of the SDK's own files is left without color, wherever it hangs", async () => {
  const error = await failureOf(readDomain(await clientFor([answer(401, "")])));
  error.stack = `DomainMonitoringError: ${error.message}${FRAMES}`;
  for (const shown of inspectedInTrees(error)) expect(framesOf(shown)).toBe(10);
});

/**
 * The error as the run-time inspects it: itself, and as what a program may make of it. The wrappers
 * have no frames.
 */
function inspectedInTrees(error: Error): string[] {
  const wrapped = bare(new Error("cannot read the domain", { cause: error }));
  const trees = [
    error,
    wrapped,
    bare(new Error("cannot deploy", { cause: wrapped })),
    bare(new AggregateError([error, bare(new Error("other"))], "several")),
    bare(Object.assign(new Error("cannot deploy"), { reason: error })),
  ];

  return trees.map((tree) => inspect(tree, { colors: true }));
}

function bare<E extends Error>(wrapper: E): E {
  wrapper.stack = String(wrapper);
  return wrapper;
}

/** Lines of stacks; colored ones are refused, as coloring is what runs away. */
function framesOf(shown: string): number {
  const lines = shown
    .split("\n")
    .filter((line) => /^\s+at /.test(line.replaceAll("\u001b[90m", "")));

  for (const line of lines) expect(line).not.toContain("\u001b");

  return lines.length;
}
