/**
 * The engine's resource monitor: where a component registers itself and its children, as a program
 * does. Of Pulumi's SDK this needs the protocol's messages alone, so that the plugin starts without
 * loading the rest.
 */
import { credentials, type ServiceError } from "@grpc/grpc-js";
import { Alias } from "@pulumi/pulumi/proto/alias_pb";
import type { ConstructRequest } from "@pulumi/pulumi/proto/provider_pb";
import { ResourceMonitorClient } from "@pulumi/pulumi/proto/resource_grpc_pb";
import * as proto from "@pulumi/pulumi/proto/resource_pb";
import { either } from "../common/text";
import { parseUrn } from "../common/urn";
import { invalid } from "../functions/function";
import { hasUnknown, type Properties } from "../provider/boundary";
import { INPUTS } from "../provider/record";
import { MESSAGE_SIZES, openDeeply, seal, toStruct } from "./values";

const { RegisterResourceRequest } = proto;

export class ResourceMonitor {
  readonly #client: ResourceMonitorClient;

  constructor(address: string) {
    this.#client = new ResourceMonitorClient(address, credentials.createInsecure(), MESSAGE_SIZES);
  }

  /**
   * Registers a resource. Resolves when its step is done, even if the step failed and the engine
   * goes on.
   */
  register(request: proto.RegisterResourceRequest): Promise<proto.RegisterResourceResponse> {
    return answered((done) => this.#client.registerResource(request, done));
  }

  /** Records the outputs of a component. */
  registerOutputs(urn: string, outputs: Properties): Promise<unknown> {
    const request = new proto.RegisterResourceOutputsRequest()
      .setUrn(urn)
      .setOutputs(toStruct(outputs));

    return answered((done) => this.#client.registerResourceOutputs(request, done));
  }

  close(): void {
    this.#client.close();
  }
}

function answered<T>(
  call: (done: (error: ServiceError | null, answer: T) => void) => unknown,
): Promise<T> {
  return new Promise((resolve, reject) => {
    call((error, answer) => (error ? reject(error) : resolve(answer)));
  });
}

/**
 * A component with the options that the program gave it, as the SDK registers it. Without inputs: a
 * component's are recorded as they are, and destinations that the program did not mark as secrets
 * would be in clear.
 */
export function componentRegistration(request: ConstructRequest): proto.RegisterResourceRequest {
  const registration = new RegisterResourceRequest()
    .setType(request.getType())
    .setName(request.getName())
    .setParent(request.getParent())
    .setAliasesList(request.getAliasesList())
    // Otherwise the engine would look for an alias without a parent below the stack.
    .setAliasspecs(true)
    .setDependenciesList(request.getDependenciesList())
    .setAdditionalsecretoutputsList(request.getAdditionalsecretoutputsList())
    .setIgnorechangesList(request.getIgnorechangesList())
    .setReplaceonchangesList(request.getReplaceonchangesList())
    .setReplaceWithList(request.getReplaceWithList())
    .setReplacementTrigger(request.getReplacementTrigger())
    .setDeletedwith(request.getDeletedwith())
    .setDeletebeforereplace(request.getDeletebeforereplace() ?? false)
    .setDeletebeforereplacedefined(request.hasDeletebeforereplace())
    .setParentstacktracehandle(request.getStackTraceHandle());

  if (request.hasProtect()) registration.setProtect(request.getProtect() ?? false);
  if (request.hasRetainondelete())
    registration.setRetainondelete(request.getRetainondelete() ?? false);

  for (const [name, reference] of request.getProvidersMap().entries())
    registration.getProvidersMap().set(name, reference);

  // The same fields in messages of another name.
  const { CustomTimeouts, ResourceHooksBinding } = RegisterResourceRequest;
  const timeouts = request.getCustomtimeouts();
  const hooks = request.getResourceHooks();

  if (timeouts)
    registration.setCustomtimeouts(CustomTimeouts.deserializeBinary(timeouts.serializeBinary()));

  if (hooks) registration.setHooks(ResourceHooksBinding.deserializeBinary(hooks.serializeBinary()));

  return registration;
}

/**
 * A resource below a component, without its parent. The engine gives it what children inherit, such
 * as `protect`.
 * @param inputs in the envelopes in which the component got them
 */
export function childRegistration(
  component: proto.RegisterResourceRequest,
  { type, name, inputs }: { type: string; name: string; inputs: Properties },
): proto.RegisterResourceRequest {
  const registration = new RegisterResourceRequest()
    .setType(type)
    .setName(name)
    .setCustom(true)
    .setDependenciesList(component.getDependenciesList())
    .setCustomtimeouts(component.getCustomtimeouts())
    .setParentstacktracehandle(component.getParentstacktracehandle())
    .setAliasspecs(true)
    .setSupportsresultreporting(true);

  const values: Properties = {};
  const secrets = new Set<string>();

  for (const [input, given] of Object.entries(inputs)) {
    const { value, isSecret, dependencies } = openDeeply(given);

    values[input] = value;
    if (isSecret) secrets.add(input);
    const urns = new RegisterResourceRequest.PropertyDependencies().setUrnsList(dependencies);

    registration.getPropertydependenciesMap().set(input, urns);
  }

  return registration.setObject(seal(values, secrets));
}

/** The URNs that a component had, as its aliases say. */
export function formerUrns(component: proto.RegisterResourceRequest, urn: string): string[] {
  const { stack, project } = parseUrn(urn);

  return component.getAliasesList().map((alias) => {
    const spec = alias.getSpec();
    if (!spec) return alias.getUrn();

    const parent = spec.getNoparent() ? "" : spec.getParenturn() || component.getParent();
    const { qualifiedType } = parseUrn(parent);
    const types = [qualifiedType, spec.getType() || component.getType()].filter(
      (type) => type !== "" && type !== "pulumi:pulumi:Stack",
    );

    const name = spec.getName() || component.getName();
    const at = `${spec.getStack() || stack}::${spec.getProject() || project}`;

    return `urn:pulumi:${at}::${types.join("$")}::${name}`;
  });
}

/** Options that a channel of a component may have. */
const OPTIONS = ["aliases", "ignoreChanges", "import", "protect"] as const;

/** Inputs that a program can declare with the plugin. */
const DECLARED = INPUTS.filter((input) => input !== "adopt" && input !== "secretLabel");

/**
 * Sets the options of a channel. Only the names of declared classes are translated by the generated
 * SDKs, so names in values come in the language's own spelling.
 * @throws DomainMonitoringError of kind `validation`
 */
export function setOptions(registration: proto.RegisterResourceRequest, options: unknown): void {
  if (hasUnknown(options))
    throw invalid("opts of a channel are not known in this preview: declare them in the program");

  const given: Partial<Record<(typeof OPTIONS)[number], unknown>> = {};
  for (const [name, value] of Object.entries(Object(options)))
    given[known(name, OPTIONS, "an option of a channel")] = value;

  const { aliases, ignoreChanges, import: id, protect } = given;
  const ignored = texts(ignoreChanges, "ignoreChanges").map((name) =>
    name === "*" ? name : known(name, DECLARED, "an input of a channel for ignoreChanges"),
  );

  if (id !== undefined) registration.setImportid(String(id));
  if (protect !== undefined) {
    if (typeof protect !== "boolean")
      throw invalid("protect of a channel is neither true nor false: correct it");

    registration.setProtect(protect);
  }

  registration.setIgnorechangesList(ignored);
  for (const urn of texts(aliases, "aliases")) registration.addAliases(new Alias().setUrn(urn));
}

/**
 * The one of these names that is meant, in whatever spelling: `ignore_changes`, `IgnoreChanges`,
 * `import_`.
 */
function known<Name extends string>(given: string, names: readonly Name[], what: string): Name {
  const spelled = (name: string) => name.replaceAll("_", "").toLowerCase();
  const found = names.find((name) => spelled(name) === spelled(given));
  if (found === undefined) throw invalid(`${given} is not ${what}: use ${either(names)}`);

  return found;
}

function texts(value: unknown = [], name: string): string[] {
  if (Array.isArray(value) && value.every((item) => typeof item === "string")) return value;
  throw invalid(`${name} of a channel is not a list of strings: correct it`);
}
