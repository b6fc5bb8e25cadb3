/** The calls about a domain, on plain values: the core's, and imports by its id. */
import { guard, type Properties, type ResourceProvider } from "../provider/boundary";
import { domainProvider } from "../provider/domain";
import { title } from "../provider/domain/record";
import type { ResourceCall, ResourceCalls } from "./calls";

export class DomainCalls implements ResourceCalls {
  readonly #provider: ResourceProvider;

  constructor(private readonly call: ResourceCall) {
    const { urn, run, warn, options } = call;
    this.#provider = guard(domainProvider(warn, run.connection, { call: options, urn }));
  }

  async check(olds: Properties, { secretLabel: _, ...declared }: Properties) {
    const { inputs, failures } = await this.#provider.check(olds, declared);
    return { inputs, reasons: failures.map(({ reason }) => reason) };
  }

  async diff(id: string, olds: Properties, news: Properties) {
    const { run, urn, warn } = this.call;
    const found = await this.#provider.diff(id, olds, news);
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
  }

  create(inputs: Properties) {
    return this.#provider.create(inputs);
  }

  async read(id: string, recorded: Properties | undefined) {
    const found = await this.#provider.read(id, recorded ?? {});
    if (recorded === undefined) this.call.run.imported.add(this.call.urn);

    return found;
  }

  async update(id: string, olds: Properties, news: Properties) {
    return (await this.#provider.update(id, olds, news)).outs;
  }

  delete(id: string, recorded: Properties) {
    return this.#provider.delete(id, recorded);
  }
}
