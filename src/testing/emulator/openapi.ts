/** What `GET /openapi.json` says besides the routes. */

/** The bearer token (interface.md, section 5). */
export const securityScheme = {
  type: "http",
  scheme: "bearer",
  description: "The API token from the account settings.",
} as const;

/** Title, version and server of the document. */
export function openApiHead(origin: string) {
  return {
    openapi: "3.1.0",
    info: {
      title: "Domain monitoring service (local emulator)",
      version: "1.0.0",
      description:
        "What the emulator of pulumi-domain-monitoring serves. Properties that may be missing or null here are read " +
        "with that tolerance; the emulator always sends them.",
    },
    servers: [{ url: origin }],
  };
}
