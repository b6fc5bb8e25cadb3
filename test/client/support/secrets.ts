/** The forms in which a secret may come back. */
export function formsOf(secret: string): string[] {
  const json = JSON.stringify(secret).slice(1, -1);
  return [
    secret,
    json,
    json.replaceAll("/", "\\/"),
    encodeURIComponent(secret),
    encodeURI(secret),
    Buffer.from(secret).toString("base64").replace(/=+$/, ""),
    secret.toLowerCase(),
    secret.toUpperCase(),
  ];
}
