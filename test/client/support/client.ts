/** Clients that end with the test that made them, and the calls that the tests make. */
import { inspect } from "node:util";
import {
  DomainMonitoringClient,
  DomainMonitoringError,
  type DomainMonitoringFailure,
  type ErrorKind,
} from "../../../src/client";
import type { CreateNotificationChannel } from "../../../src/client/fields";
import type { CallOptions, ClientOptions } from "../../../src/client/options";
import { failureOf as thrownBy } from "../../support/failure";
import { closeLater } from "./cleanup";
import { DOMAIN_ID } from "./wire";

export const TOKEN = "tok_4f9c1d7e2b8a6035";
export const DESTINATION = 'https://hooks.example/services/T0/B0?key=s3cr3t&x="q"';

export const CHANNEL: CreateNotificationChannel = {
  label: "On call",
  type: "webhook",
  value: DESTINATION,
};

/** What the error of a create says where the channel may exist, and no other: what to look for. */
export const CREATED_ANYWAY = '"On call" (webhook)';

/** A client whose retries are few; the tests make its back-off nothing by fixing `Math.random`. */
export function clientOf(baseUrl: string, options?: Partial<ClientOptions>) {
  const usual = { apiToken: TOKEN, maxRetries: 2, timeoutMs: 20_000 };
  const client = new DomainMonitoringClient({ baseUrl, ...usual, ...options });
  closeLater(() => client.close());

  return client;
}

type Call = (client: DomainMonitoringClient, options?: CallOptions) => Promise<unknown>;

export const getDomain: Call = ({ domains }, options) => domains.get(DOMAIN_ID, options);

export const createChannel: Call = ({ notificationChannels: channels }, options) =>
  channels.create(DOMAIN_ID, CHANNEL, options);

/** Facts that the types promise for each kind: checked on every failure of every test. */
const OF_A_CALL = ["operation", "method", "path", "attempts", "sent"] as const;

const PROMISED: Record<ErrorKind, readonly (keyof DomainMonitoringError)[]> = {
  http: [...OF_A_CALL, "status"],
  transport: OF_A_CALL,
  timeout: OF_A_CALL,
  aborted: OF_A_CALL,
  response: ["operation"],
  configuration: [],
  validation: [],
};

/** The error of a call that must fail. */
export async function failureOf(call: Promise<unknown>): Promise<DomainMonitoringFailure> {
  const error = await thrownBy(call);
  if (!DomainMonitoringError.isInstance(error))
    throw new Error(`expected a DomainMonitoringError, got ${error}`, { cause: error });

  expect(PROMISED[error.kind].filter((fact) => error[fact] === undefined)).toEqual([]);

  return error;
}

/** The texts in which an error and its causes may be shown. */
export function renderings(error: unknown): string {
  const texts: string[] = [];
  for (let current = error; current instanceof Error; current = current.cause) {
    texts.push(current.message, String(current.stack), String(current), JSON.stringify(current));
    texts.push(inspect(current, { depth: null, showHidden: true }));
  }

  return texts.join("\n");
}
