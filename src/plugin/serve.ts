/** Serves the plugin on a loopback port. */
import { fstatSync } from "node:fs";
import { Server, ServerCredentials } from "@grpc/grpc-js";
import { ResourceProviderService } from "@pulumi/pulumi/proto/provider_grpc_pb";
import { EngineLog } from "./log";
import { pluginService } from "./service";
import { MESSAGE_SIZES } from "./values";

/** @param args as the engine gives them: options, and its own address as the last one */
export function serve(args: string[]): void {
  const log = new EngineLog(args.at(-1));

  surviveUncaughtErrors(log);
  const server = new Server(MESSAGE_SIZES);

  server.addService(ResourceProviderService, pluginService(log));
  server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, port) => {
    // The engine shows a line that is not a number.
    process.stdout.write(
      error ? `no port of this machine can be served: ${error.message}\n` : `${port}\n`,
    );

    if (error) process.exit(1);
  });

  endWithEngine(server);
}

/**
 * An uncaught error must not end the process: it is serving other calls, and what they create has
 * to be recorded. The error itself is not shown, because it may hold a value that is secret.
 */
function surviveUncaughtErrors(log: EngineLog): void {
  const report = () => {
    void log.warn(
      "The domain-monitoring plugin went on after an unexpected error: please report it",
    );
  };

  process.on("unhandledRejection", report).on("uncaughtException", report);
}

/**
 * The engine holds the other end of standard input. If it was killed, nothing else would end this
 * process.
 */
function endWithEngine(server: Server): void {
  const input = fstatSync(0);
  if (!input.isFIFO() && !input.isSocket()) return;
  process.stdin.on("end", () => server.tryShutdown(() => process.exit())).resume();
}
