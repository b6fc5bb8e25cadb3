/** The client of a program's functions, from a `Provider` or from the stack's settings. */
import * as pulumi from "@pulumi/pulumi";
import type { DomainMonitoringClient } from "../../client/client";
import { type ExplicitSettings, findSetting, resolveConfiguration, type SettingSources } from "../../config";
import { quietly } from "../end-program";
import { isConfigSecret } from "./sdk";

/** @throws an error that ends the program with one line if stack config has the token in plaintext */
export function refusePlaintextToken(): void {
  quietly(() => findSetting("apiToken", sources()));
}

function sources(explicit?: ExplicitSettings): SettingSources {
  return {
    explicit,
    stackConfig: (key) => {
      const value = pulumi.runtime.getConfig(key);
      return value === undefined ? undefined : { value, plaintext: !isConfigSecret(key) };
    },
    environment: process.env,
  };
}

const clients = new Map<string, DomainMonitoringClient>();

/**
 * The client for these settings: equal settings share one, and so its connections.
 * @throws an error that ends the program with one line if settings are missing or not valid
 */
export function programClient(explicit?: ExplicitSettings): DomainMonitoringClient {
  const configuration = quietly(() => resolveConfiguration(sources(explicit)));
  const key = JSON.stringify(configuration);
  const known = clients.get(key);
  if (known) return known;
  const client = new (loadClient().DomainMonitoringClient)(configuration);
  clients.set(key, client);
  return client;
}

function loadClient(): typeof import("../../client/client") {
  return require("../../client/client");
}
