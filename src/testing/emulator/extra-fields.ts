/** Fields that nobody has described, in every object of an answer: a client must not stumble over them. */
import type { MiddlewareHandler } from "hono";

/** Adds them to answers that succeed. A field that is there already stays as it is. */
export function addExtraFields(extra: Record<string, unknown> | undefined): MiddlewareHandler {
  return async (c, next) => {
    await next();
    if (extra !== undefined && c.res.ok)
      c.res = Response.json(extended(await c.res.json(), extra), { status: c.res.status });
  };
}

function extended(value: unknown, extra: Record<string, unknown>): unknown {
  if (Array.isArray(value)) return value.map((item) => extended(item, extra));
  if (typeof value !== "object" || value === null) return value;
  const fields = Object.entries(value).map(([name, field]) => [name, extended(field, extra)]);
  return { ...extra, ...Object.fromEntries(fields) };
}
