/** The client of a program's functions, from a `Provider` or from the stack's settings. */
import * as pulumi from "@pulumi/pulumi";
import type { DomainMonitoringClient } from "../../client/client";
import {
  type Configuration,
  type ExplicitSettings,
  findSetting,
  resolveConfiguration,
  type SettingSources,
} from "../../config";
import { quietly } from "../end-program";
import { isConfigSecret } from "./sdk";

/** The settings of this program. @throws an error that ends the program with one line if they are missing or not valid */
function programConfiguration(explicit?: ExplicitSettings): Configuration {
  return quietly(() => resolveConfiguration(sources(explicit)));
}

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

/** The client for these settings: equal settings share one, and so its connections. */
export function programClient(explicit?: ExplicitSettings): DomainMonitoringClient {
  const configuration = programConfiguration(explicit);
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
