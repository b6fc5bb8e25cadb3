/**
 * Reads and validates `domains.yaml`: reports every problem with its line, before anything is
 * deployed.
 */
import { readFileSync } from "node:fs";
import { LineCounter, parseDocument, type YAMLError } from "yaml";

const TYPES = ["email", "discord", "slack", "ms_teams", "pushover", "webhook"] as const;
const METHODS = ["POST", "PUT", "PATCH"] as const;
/** Names that are valid for a stack on every backend. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,79}$/;

export interface ChannelEntry {
  name: string;
  label: string;
  type: (typeof TYPES)[number];
  /** Name of the secret of the stack, or of the environment variable, with the destination. */
  destination: string;
  /** HTTP method of a webhook. */
  method?: (typeof METHODS)[number];
}

export interface DomainEntry {
  name: string;
  id: string;
}

/** What one stack deploys: a team's domains and the channels of each. */
export interface Shard {
  stack: string;
  channels: ChannelEntry[];
  domains: DomainEntry[];
}

/** All problems of the file. */
export class FleetFileError extends Error {}

/** Reads the file. @throws FleetFileError with all problems, one line each */
export function readFleet(file: string): Shard[] {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    const code = error instanceof Error && "code" in error ? ` (${error.code})` : "";
    throw new FleetFileError(`${file} cannot be read${code}`);
  }
  const checked = new Check(file, text);
  const shards = checked.shards();
  if (checked.problems.length > 0) throw new FleetFileError(checked.problems.join("\n"));
  return shards;
}

type Path = (string | number)[];

class Check {
  readonly problems: string[] = [];
  readonly #lines = new LineCounter();
  readonly #document;

  constructor(
    private readonly file: string,
    text: string,
  ) {
    this.#document = parseDocument(text, { lineCounter: this.#lines });
    // The parser limits YAML aliases, so that a small file cannot expand to a huge one; it throws
    // in this case.
    for (const error of this.#document.errors) this.#syntax(error);
  }

  shards(): Shard[] {
    if (this.problems.length > 0) return [];
    const root = this.#map(this.#document.toJS(), [], ["teams", "domains"]);
    const teams = this.#map(root.teams, ["teams"]);
    const shards = new Map<string, Shard>();
    for (const [stack, team] of Object.entries(teams)) {
      const path = ["teams", stack];
      if (!NAME.test(stack))
        this.#say(path, "a team's name becomes a stack's: letters, digits, - _ . only");
      shards.set(stack, { stack, channels: this.#channels(team, path), domains: [] });
    }
    this.#domains(root.domains, shards);
    return [...shards.values()].filter(({ domains }) => domains.length > 0);
  }

  #channels(team: unknown, path: Path): ChannelEntry[] {
    const at = [...path, "channels"];
    const entries = this.#list(this.#map(team, path, ["channels"]).channels, at);
    const channels = entries.map((entry, index): ChannelEntry => {
      const here = [...at, index];
      const given = this.#map(entry, here, ["name", "label", "type", "destination", "method"]);
      return {
        name: this.#text(given.name, [...here, "name"], NAME),
        label: this.#text(given.label, [...here, "label"]),
        type: this.#oneOf(TYPES, given.type, [...here, "type"]) ?? "email",
        destination: this.#text(
          given.destination,
          [...here, "destination"],
          /^[A-Za-z_][A-Za-z0-9_]*$/,
        ),
        ...(given.method !== undefined && {
          method: this.#oneOf(METHODS, given.method, [...here, "method"]),
        }),
      };
    });
    this.#unique(
      channels.map(({ name }) => name),
      at,
      "name",
    );
    return channels;
  }

  #domains(given: unknown, shards: Map<string, Shard>): void {
    const entries = this.#list(given, ["domains"]).map((entry, index) => {
      const path = ["domains", index];
      const { name, id, team } = this.#map(entry, path, ["name", "id", "team"]);
      const shard = typeof team === "string" ? shards.get(team) : undefined;
      if (!shard)
        this.#say([...path, "team"], `must be one of ${[...shards.keys()].join(", ") || "teams"}`);
      const domain = {
        name: this.#text(name, [...path, "name"]),
        id: this.#text(id, [...path, "id"]),
      };
      shard?.domains.push(domain);
      return domain;
    });
    for (const key of ["name", "id"] as const) {
      this.#unique(
        entries.map((entry) => entry[key]),
        ["domains"],
        key,
      );
    }
  }

  #map(value: unknown, path: Path, allowed?: string[]): Record<string, unknown> {
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      this.#say(path, allowed ? `must be a map of ${allowed.join(", ")}` : "must be a map");
      return {};
    }
    for (const key of Object.keys(value)) {
      if (allowed && !allowed.includes(key)) this.#say([...path, key], "is not known here");
    }
    return { ...value };
  }

  #list(value: unknown, path: Path): unknown[] {
    if (Array.isArray(value) && value.length > 0) return value;
    this.#say(path, "must be a list with at least one entry");
    return [];
  }

  #text(value: unknown, path: Path, pattern = /\S/): string {
    if (typeof value === "string" && pattern.test(value)) return value;
    this.#say(
      path,
      pattern.source === "\\S" ? "must be a text" : `must be a text like ${pattern.source}`,
    );
    return "";
  }

  #oneOf<T extends string>(known: readonly T[], value: unknown, path: Path): T | undefined {
    const found = known.find((candidate) => candidate === value);
    if (!found) this.#say(path, `must be one of ${known.join(", ")}`);
    return found;
  }

  /**
   * Rejects duplicate domains, as each of their channels would be created twice and could not be
   * deleted.
   */
  #unique(values: string[], path: Path, key: string): void {
    values.forEach((value, index) => {
      if (value !== "" && values.indexOf(value) < index) {
        this.#say([...path, index, key], `is listed twice: ${value}`);
      }
    });
  }

  #say(path: Path, problem: string): void {
    this.problems.push(
      `${this.file}:${this.#line(path)}: ${path.join(".") || "the file"} ${problem}`,
    );
  }

  /** The line of the value, or of its nearest existing parent. */
  #line(path: Path): number {
    for (let length = path.length; length > 0; length--) {
      const node: unknown = this.#document.getIn(path.slice(0, length), true);
      const range = node && typeof node === "object" && "range" in node ? node.range : undefined;
      if (Array.isArray(range)) return this.#lines.linePos(range[0]).line;
    }
    return 1;
  }

  #syntax(error: YAMLError): void {
    const { line } = this.#lines.linePos(error.pos[0]);
    this.problems.push(`${this.file}:${line}: ${error.message.split("\n", 1)[0]}`);
  }
}
