/** The calls about a domain, on plain values: the core's, and imports by its id. */
import { canonicalId } from "../client/rules";
import { guard } from "../provider/boundary";
import { domainProvider } from "../provider/domain";
import { title } from "../provider/domain/record";
import { domainKeepers } from "../provider/keepers";
import { type CallContext, type Calls, checkWithoutAdopt } from "./calls";

export function domainCalls(urn: string, { connection, imported, warn, call }: CallContext): Calls {
  const provider = guard(domainProvider(warn, connection, { call, urn }));

  return {
    create: provider.create,
    delete: provider.delete,
    update: async (id, olds, news) => (await provider.update(id, olds, news)).outs,

    check(olds, { adopt, secretLabel: _, ...declared }) {
      // `adopt: false` is the default.
      return checkWithoutAdopt(provider, olds, { ...declared, adopt: adopt || null }, ADOPT);
    },

    async diff(id, olds, news) {
      const found = await provider.diff(id, olds, news);
      if (!imported.has(urn)) return found;
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
      // It keeps the domain even if the read fails: nothing else may delete what the program
      // declares.
      if (recorded === undefined) domainKeepers(connection).take(canonicalId(id), urn);
      const found = await provider.read(id, recorded ?? {});
      if (recorded === undefined && found.id !== "") imported.add(urn);

      return found;
    },
  };
}

const ADOPT =
  "adopt is not an input of the plugin: remove it, and set the resource option import to the domain's id";
