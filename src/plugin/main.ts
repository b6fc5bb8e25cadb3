/**
 * The plugin's process, `pulumi-resource-domain-monitoring`. The engine starts it, reads the port that it serves from its
 * first line, and hides everything else that it prints.
 */
import { isSupported, refuse } from "./node-version";

// Loaded late: the service's modules need a Node that is supported.
if (isSupported(process.versions.node)) loadService().serve(process.argv.slice(2));
else refuse(process.versions.node);

function loadService(): typeof import("./serve") {
  return require("./serve");
}
