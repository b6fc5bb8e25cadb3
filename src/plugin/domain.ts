/** The calls about a domain, on plain values: those of the core, and imports by its id. */
import { guard, type Properties, type ResourceProvider } from "../provider/boundary";
import { domainProvider } from "../provider/domain";
import { title } from "../provider/domain/record";
import type { Context } from "./channel";

export class Domain {
  readonly #provider: ResourceProvider;

  constructor(
    private readonly urn: string,
    private readonly context: Context,
  ) {
    const { warn, connection, call } = context;
    this.#provider = guard(domainProvider(warn, connection, call));
  }

  async check(olds: Properties, news: Properties): Promise<{ inputs: Properties; reasons: string[] }> {
    const { adopt, secretLabel: _, ...declared } = news;
    const { inputs, failures } = await this.#provider.check(olds, declared);
    return { inputs, reasons: [...(adopt ? [ADOPT] : []), ...failures.map(({ reason }) => reason)] };
  }

  async diff(
    id: string,
    recorded: Properties,
    news: Properties,
  ): Promise<{ diffs: string[]; replaces: string[] }> {
    const found = await this.#provider.diff(id, recorded, news);
    if (!this.context.imported.has(this.urn)) return found;
    if (found.replaces.length > 0)
      throw new Error(
        `${title(recorded, id)} is declared with another name: declare that one, or correct the id`,
      );
    // As for a channel; the next update also lets go of what is not declared, without a request.
    const next = found.diffs.filter((name) => name in news);
    if (next.length > 0)
      this.context.warn(
        `${title(recorded, id)} is imported as it is. The next update sets ${next.join(", ")} as declared`,
      );
    return { diffs: [], replaces: [] };
  }

  create(inputs: Properties): Promise<{ id: string; outs: Properties }> {
    return this.#provider.create(inputs);
  }

  async read(
    id: string,
    given: Properties | undefined,
  ): Promise<{ id: string; props: Properties; inputs: Properties }> {
    const read = await this.#provider.read(id, given ?? {});
    if (!given) this.context.imported.set(this.urn, { id: read.id, inService: true });
    return read;
  }

  async update(id: string, recorded: Properties, declared: Properties): Promise<Properties> {
    return (await this.#provider.update(id, recorded, declared)).outs;
  }

  delete(id: string, recorded: Properties): Promise<void> {
    return this.#provider.delete(id, recorded);
  }
}

const ADOPT =
  "adopt is not an input of the plugin: take it out, and set the resource option import to the domain's id";
