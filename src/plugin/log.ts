/**
 * The engine's log: what a plugin prints is hidden, and what it logs is shown under the resource
 * that it is about.
 */
import { credentials, Metadata } from "@grpc/grpc-js";
import { EngineClient } from "@pulumi/pulumi/proto/engine_grpc_pb";
import { LogRequest, LogSeverity } from "@pulumi/pulumi/proto/engine_pb";
import { withoutCommands } from "../common/text";
import { harmless } from "../provider/boundary";

/**
 * Maximum time for an engine to accept a line, in milliseconds: after it, the response is sent
 * anyway.
 */
const LOG_DEADLINE_MS = 10_000;

export class EngineLog {
  #client: EngineClient | undefined;

  /**
   * @param address where the engine listens; without one, as in a start by hand, nothing is logged
   */
  constructor(address?: string) {
    if (address) this.attach(address);
  }

  /** Logs to this engine from now on. */
  attach(address: string): void {
    this.#client?.close();
    this.#client = new EngineClient(address, credentials.createInsecure());
  }

  /**
   * Shows a warning; resolves when the engine has it, so that it is shown before the call's own
   * result. Never fails.
   */
  warn(message: string, urn?: string): Promise<void> {
    return this.#show(LogSeverity.WARNING, message, urn);
  }

  /** Shows an error of the stack, which ends nothing. */
  error(message: string): Promise<void> {
    return this.#show(LogSeverity.ERROR, message);
  }

  async #show(severity: LogSeverity, message: string, urn = ""): Promise<void> {
    const client = this.#client;
    if (!client) return;

    const request = new LogRequest()
      .setSeverity(severity)
      .setMessage(harmless(withoutCommands(message)))
      .setUrn(urn);

    await new Promise<void>((resolve) => {
      client.log(request, new Metadata(), { deadline: Date.now() + LOG_DEADLINE_MS }, () =>
        resolve(),
      );
    });
  }
}
