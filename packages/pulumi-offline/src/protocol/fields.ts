/**
 * The fields of the SDK's messages that this engine knows. A field of a newer SDK is refused by
 * name, as it would be ignored silently otherwise.
 */
import { version } from "@pulumi/pulumi/version";
import type { Message } from "google-protobuf";
import { isObject } from "../state/values";

/** Known fields in lower case, each with those of the message in it where these matter, too. */
type Known = ReadonlyMap<string, Known | undefined>;

function known(names: string, nested: Record<string, Known> = {}): Known {
  const plain = names.split(/\s+/).map((name) => [name.toLowerCase(), undefined] as const);
  return new Map<string, Known | undefined>([...plain, ...Object.entries(nested)]);
}

const callback = known("target token acceptsByteString");
const alias = known("urn", { spec: known("name type stack project parentUrn noParent") });

// Fields for what the SDK accepts in an answer, where in the program a resource is, and how a
// difference is shown.
const harmless =
  "acceptSecrets acceptResources acceptsByteString supportsPartialValues supportsResultReporting aliasSpecs " +
  "sourcePosition stackTrace parentStackTraceHandle hideDiffs hideDiff";

// A dynamic resource's package has only its installed version.
const plugin = "version pluginDownloadUrl pluginChecksums";

const options =
  "protect provider providers ignoreChanges replaceOnChanges additionalSecretOutputs deletedWith retainOnDelete " +
  "deleteBeforeReplace customTimeouts";

// These are refused if set, each with its own message.
const refused = "import importId remote replaceWith replacementTrigger envVarMappings packageRef";

export const REGISTRATION = known(
  "type name parent custom object dependencies propertyDependencies aliasUrns deleteBeforeReplaceDefined " +
    `${options} ${plugin} ${harmless} ${refused}`,
  { aliases: alias, transforms: callback },
);

export const TRANSFORM_OPTIONS = known(`dependsOn ${options} ${plugin} ${harmless} ${refused}`, {
  aliases: alias,
});

export const TRANSFORM_RESPONSE = known("properties options");
export const TRANSFORM = callback;

export const LOOKUP = known(
  "id type name parent properties dependencies provider additionalSecretOutputs packageRef " +
    `${plugin} ${harmless}`,
);

export const CALL = known(
  `tok args argDependencies provider packageRef parent ${plugin} ${harmless}`,
);

export const OUTPUTS = known("urn outputs");

/** Fields of a message that are set but unknown, each with the version of the SDK. */
export function unknownFields(message: Message, fields: Known): string[] {
  const present = (key: string) => {
    const has: unknown = Reflect.get(message, `has${key.charAt(0).toUpperCase()}${key.slice(1)}`);
    return typeof has === "function" && has.call(message) === true;
  };

  const names = namesIn(message.toObject(), fields, present);

  return [...new Set(names)].map((name) => `the field ${name} of @pulumi/pulumi ${version}`);
}

/** @param present whether an optional field is set, as `false` and `0` may be meaningful */
function namesIn(
  decoded: unknown,
  fields: Known,
  present: (key: string) => boolean = () => false,
): string[] {
  if (Array.isArray(decoded)) return decoded.flatMap((element) => namesIn(element, fields));
  if (!isObject(decoded)) return [];

  return Object.entries(decoded).flatMap(([key, value]) => {
    // The stubs append these to the names of repeated fields, and put `pb_` before those that
    // JavaScript reserves.
    const name = key.replace(/^pb_/, "").replace(Array.isArray(value) ? /(List|Map)$/ : "", "");
    const nested = fields.get(name.toLowerCase());
    if (nested !== undefined) return namesIn(value, nested).map((inner) => `${name}.${inner}`);
    if (fields.has(name.toLowerCase())) return [];

    return holdsSomething(value) || (!isObject(value) && present(key)) ? [name] : [];
  });
}

/** The SDK also sends messages and lists with nothing in them. */
function holdsSomething(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  return isObject(value) ? Object.values(value).some(holdsSomething) : Boolean(value);
}
