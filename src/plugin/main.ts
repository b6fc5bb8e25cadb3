/**
 * The plugin's process, `pulumi-resource-domain-monitoring`. The engine starts it, reads the port that it serves from its
 * first line, and hides everything else that it prints.
 */
import { isSupported, refuse } from "./node-version";

if (isSupported(process.versions.node)) {
  // Loaded late: the service's modules need a Node that is supported.
  const { serve }: typeof import("./serve") = require("./serve");
  serve(process.argv.slice(2));
} else refuse(process.versions.node);
