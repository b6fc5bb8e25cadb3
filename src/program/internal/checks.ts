/** Checks that only the program can make of a resource. */
import { createRequire } from "node:module";
import path from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { DomainMonitoringError } from "../../client/errors";
import { findSetting } from "../../config";
import { DOMAIN_TOKEN } from "../../names";
import {
  currentRun,
  endProgram,
  inheritedProvider,
  isMocked,
  isOfType,
  quiet,
  stackConfig,
} from "./sdk";

/** A channel, as far as the checks look at it. */
interface DeclaredChannel extends pulumi.CustomResource {
  domainId: pulumi.Output<string>;
  label: pulumi.Output<string>;
  type: pulumi.Output<string>;
  value: pulumi.Output<string | null>;
}

/** Makes a check, whose error ends the program with only its message. */
export function quietly<T>(check: () => T): T {
  try {
    return check();
  } catch (error) {
    throw error instanceof DomainMonitoringError ? quiet(error) : error;
  }
}

/** Refuses the option `import`. @param fix what to do about the resource with this id instead */
export function refuseImport(
  what: "channel" | "domain",
  name: string,
  opts: pulumi.CustomResourceOptions | undefined,
  fix: (id: pulumi.Input<pulumi.ID>) => string,
): void {
  if (opts?.import === undefined) return;
  throw endProgram(
    `${what} ${JSON.stringify(name)} has the option import, which the engine refuses for a dynamic resource: ` +
      fix(opts.import),
  );
}

/** The provider process starts in the directory of the program, which a program may leave. */
const STARTED_IN = process.cwd();
let isInstalled = false;

/**
 * Checks that a resource can be deployed from here: the provider process must find this package,
 * and stack config, if it is used, must not have the token in plaintext. Missing settings are
 * reported by the provider's `check`, even in previews: a transform may still give the resource
 * another provider.
 */
export function checkDeployment(
  type: string,
  opts: pulumi.CustomResourceOptions | undefined,
): void {
  // With mocks nothing is deployed.
  if (isMocked()) return;

  refuseImpossibleLayouts();
  requirePackage();
  if ((opts?.id ?? opts?.provider ?? inheritedProvider(opts?.parent, type)) === undefined)
    quietly(() => findSetting("apiToken", { stackConfig, environment: process.env }));
}

/** The engine starts the provider process with plain `node`, which cannot read Yarn's archives. */
function refuseImpossibleLayouts(): void {
  if (process.versions.pnp === undefined) return;
  throw endProgram(
    "Yarn Plug'n'Play hides packages from the provider process, which the engine starts with plain node: " +
      "set `nodeLinker: node-modules` in .yarnrc.yml and install again",
  );
}

function requirePackage(): void {
  const directory = process.cwd();
  isInstalled ||= isInstalledFrom(directory) || isInstalledFrom(STARTED_IN);
  if (isInstalled) return;

  throw endProgram(
    `pulumi-domain-monitoring is not installed where the provider process looks for it (from ${directory} upwards): ` +
      "add it to the dependencies of this project's own package.json and install them",
  );
}

function isInstalledFrom(directory: string): boolean {
  try {
    createRequire(path.join(directory, "index.js")).resolve("pulumi-domain-monitoring/provider");
    return true;
  } catch {
    return false;
  }
}

/**
 * Channels of each deployment by their identifying inputs. The engine's connection identifies the
 * deployment.
 */
const deployments = new WeakMap<object, Map<string, string>>();

/**
 * Warns about a channel that is declared twice in one deployment: usually a copied line, and a
 * lasting mistake, because a create-only channel cannot be deleted. Not an error, because the
 * service allows it.
 */
export function warnAboutDuplicate(name: string, channel: DeclaredChannel): void {
  const deployment = currentRun();
  if (!deployment) return;

  const seen = deployments.get(deployment) ?? new Map<string, string>();

  deployments.set(deployment, seen);
  const { domainId, type, value, label } = channel;

  // Nested, because `pulumi.all` takes twice the memory: 70 kB for each channel.
  domainId.apply((d) =>
    type.apply((t) => label.apply((l) => value.apply((v) => note(JSON.stringify([d, t, v, l]))))),
  );

  function note(key: string): void {
    const first = seen.get(key);
    if (first === undefined) seen.set(key, name);
    else
      pulumi.log.warn(
        `declares the same channel as ${JSON.stringify(first)}: remove one of them, or tell them apart by their label`,
        channel,
      );
  }
}

/**
 * Warns about a channel with its domain as the option `deletedWith`: the domain stays in the
 * service, and the engine sends no delete for the channel, which no other message would name.
 */
export function warnAboutKeptDomain(
  channel: DeclaredChannel,
  deletedWith: pulumi.Resource | undefined,
): void {
  if (!isOfType(deletedWith, DOMAIN_TOKEN)) return;

  const message =
    "deletedWith names the channel's domain, which Pulumi never deletes, so the channel is not deleted either and keeps " +
    "notifying: remove deletedWith";

  // The SDK holds later messages back until it knows the resource of this one, which may never be
  // registered.
  channel.urn.apply(() => pulumi.log.warn(message, channel));
}
