/** The calls about a domain, on plain values: those of the core, and imports by its id. */
import { guard, type Properties } from "../provider/boundary";
import { domainProvider } from "../provider/domain";
import { title } from "../provider/domain/record";
import type { Channel, Context } from "./channel";

type Calls = Pick<Channel, "check" | "diff" | "create" | "read" | "update" | "delete">;

export function domainCalls(urn: string, { connection, imported, warn, call }: Context): Calls {
  const { check, diff, create, read, update, delete: remove } = guard(domainProvider(warn, connection, call));
  return {
    create,
    delete: remove,
    update: async (id, olds, news) => (await update(id, olds, news)).outs,

    async check(olds, { adopt, secretLabel: _, ...declared }) {
      const { inputs, failures } = await check(olds, declared);
      return { inputs, reasons: [...(adopt ? [ADOPT] : []), ...failures.map(({ reason }) => reason)] };
    },

    async diff(id, olds, news) {
      const found = await diff(id, olds, news);
      if (!imported.has(urn)) return found;
      if (found.replaces.length > 0)
        throw new Error(
          `${title(olds, id)} is declared with another name: declare that one, or correct the id`,
        );
      // As for a channel; the next update also lets go of what is not declared, without a request.
      const next = found.diffs.filter((name) => name in news);
      if (next.length > 0)
        warn(`${title(olds, id)} is imported as it is. The next update sets ${next.join(", ")} as declared`);
      return { diffs: [], replaces: [] };
    },

    async read(id: string, recorded: Properties | undefined) {
      const found = await read(id, recorded ?? {});
      if (!recorded) imported.set(urn, { id: found.id, inService: true });
      return found;
    },
  };
}

const ADOPT =
  "adopt is not an input of the plugin: take it out, and set the resource option import to the domain's id";
