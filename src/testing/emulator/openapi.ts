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
        "What the emulator of pulumi-domain-monitoring serves, with the options it was started with. Null where the " +
        "interface does not say so stands for what is not known before a first check.",
    },
    servers: [{ url: origin }],
  };
}
