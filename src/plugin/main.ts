/**
 * The plugin's process, `pulumi-resource-domain-monitoring`. The engine starts it, reads the port
 * that it serves from its first line, and hides everything else that it prints: a Node that is too
 * old is named in the response to every call.
 */
import { createServer } from "node:http2";

/** As in package.json. */
const MINIMUM = "20.18.1";

/**
 * Serves one line as the response to every call. By HTTP/2 alone, because gRPC's module may not
 * load here. The handshake is not implemented, as in the service: the engine takes another error
 * there for a crash of the plugin.
 */
function refuseNode(version: string): void {
  const line = `the domain-monitoring plugin needs Node ${MINIMUM} or newer, and the node on PATH is ${version}: install a newer one`;
  const server = createServer();

  server.on("stream", (stream, headers) => {
    const unknown = "2";
    const unimplemented = "12";
    const isHandshake = headers[":path"]?.endsWith("/Handshake");
    stream.respond(
      {
        ":status": 200,
        "content-type": "application/grpc",
        "grpc-status": isHandshake ? unimplemented : unknown,
        // Unencoded, because it is plain ASCII.
        "grpc-message": line,
      },
      { endStream: true },
    );
  });

  server.listen(0, "127.0.0.1", () => {
    const address = server.address();
    if (address !== null && typeof address === "object") process.stdout.write(`${address.port}\n`);
  });
}

const { node } = process.versions;
// A pre-release counts as its release.
const [release = ""] = node.split("-");

if (release.localeCompare(MINIMUM, "en", { numeric: true }) < 0) refuseNode(node);
else {
  // Loaded late: the service's modules need a Node that is supported.
  const { serve }: typeof import("./service") = require("./service");
  serve(process.argv.slice(2));
}
