/** The calls about a domain, on plain values: the core's, and imports by its id. */
import { guard } from "../provider/boundary";
import { domainProvider } from "../provider/domain";
import { title } from "../provider/domain/record";
import type { ResourceCall, ResourceCalls } from "./calls";

export function domainCalls({ urn, run, warn, options }: ResourceCall): ResourceCalls {
  const provider = guard(domainProvider(warn, run.connection, { call: options, urn }));

  return {
    create: provider.create,
    delete: provider.delete,
    update: async (id, olds, news) => (await provider.update(id, olds, news)).outs,
    check: (olds, { secretLabel: _, ...declared }) => provider.check(olds, declared),

    async diff(id, olds, news) {
      const found = await provider.diff(id, olds, news);
      if (!run.imported.has(urn)) return found;
      if (found.replaces.length > 0)
        throw new Error(
          `${title(olds, id)} is declared with another name: declare that one, or correct the id`,
        );

      // As for a channel; the next update also forgets what is not declared, without a request.
      const next = found.diffs.filter((name) => name in news);
      if (next.length > 0)
        warn(
          `${title(olds, id)} is imported as it is. The next update sets ${next.join(", ")} as declared`,
        );

      return { diffs: [], replaces: [] };
    },

    async read(id, recorded) {
      const found = await provider.read(id, recorded ?? {});
      if (recorded === undefined) run.imported.add(urn);

      return found;
    },
  };
}
