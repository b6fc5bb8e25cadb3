/**
 * Two accounts with settings in several places: which token each service receives, with both forms.
 */
import type { Emulator } from "../../packages/domain-monitoring-emulator/src";
import { PLUGIN_DIRECTORY } from "../plugin/support/plugin-process";
import { environmentFor } from "../support/account";
import { useEmulator } from "../support/emulator";
import {
  type Create,
  describeOnEngines,
  describeOnRealEngine,
  messagesOf,
} from "../support/engines";
import { Projects } from "../support/project";

const domainId = "11111111-1111-4111-8111-111111111111";
const OWN_TOKEN = "own-token-4f9c1d7e2b8a";
const OTHER_TOKEN = "other-token-4f9c1d7e2b8a";
const BASE_URL = "domain-monitoring:baseUrl";
const API_TOKEN = "domain-monitoring:apiToken";

const npmProgram = `
  const dm = require("pulumi-domain-monitoring");
  const provider = process.env.OTHER_URL && new dm.Provider("other", { baseUrl: process.env.OTHER_URL, apiToken: process.env.OTHER_TOKEN });
  const Channel = dm.NotificationChannel;
  const domainOf = (opts) => dm.getDomainOutput({ id: "${domainId}" }, opts).domain;`;

const pluginProgram = `
  const pulumi = require("@pulumi/pulumi");
  class Channel extends pulumi.CustomResource {
    constructor(name, args, opts) { super("domain-monitoring:index:NotificationChannel", name, args, opts); }
  }
  class Provider extends pulumi.ProviderResource {
    constructor(name, args) { super("domain-monitoring", name, args); }
  }
  const provider = process.env.OTHER_URL && new Provider("other", { baseUrl: process.env.OTHER_URL, apiToken: process.env.OTHER_TOKEN });
  const domainOf = (opts) => pulumi.runtime.invokeOutput("domain-monitoring:index:getDomain", { id: "${domainId}" }, opts).domain;`;

/**
 * A channel and a look-up in the stack's own account, and the same in the other account if it is
 * set.
 */
const PROGRAM = `
  const declared = { domainId: "${domainId}", label: "On-call", type: "pushover", value: null };
  new Channel("own", declared);
  exports.own = domainOf();
  if (provider) new Channel("other", declared, { provider });
  if (provider) exports.other = domainOf({ provider });`;

describeOnEngines("the npm form", (create) => scenarios(create, npmProgram));
describeOnRealEngine("the plugin", (create) => scenarios(create, pluginProgram, PLUGIN_DIRECTORY));

function scenarios(create: Create, form: string, plugin?: string): void {
  const makeProject = () => new Projects().add("index.js", { "index.js": form + PROGRAM }, plugin);

  // Each service answers 401 to any other token.
  const own = useEmulator({ token: OWN_TOKEN });
  const other = useEmulator({ token: OTHER_TOKEN });

  /** Whether a service received a create, and no token but its own. */
  function isUsed({ requests, channels }: Emulator): boolean {
    return requests.every(({ status }) => status !== 401) && channels().length === 1;
  }

  it("sends a pipeline's token nowhere if the stack's file names another address", async () => {
    const stack = await create({
      workDir: makeProject(),
      config: { [BASE_URL]: other.url },
      env: environmentFor(own),
      keepsSecret: [OWN_TOKEN],
    });

    for (const operation of ["preview", "up"] as const) {
      const outcome = await stack[operation]();
      expect(outcome.failed).toBe(true);
      expect(messagesOf(outcome, "error").join("\n")).toMatch(
        /DOMAIN_MONITORING_API_TOKEN .* DOMAIN_MONITORING_BASE_URL, .*domain-monitoring:baseUrl /,
      );
    }

    expect(own.requests).toEqual([]);
    expect(other.requests).toEqual([]);
  });

  it("sends the stack's token to the stack's address only, whatever the shell has", async () => {
    const stack = await create({
      workDir: makeProject(),
      config: { [BASE_URL]: own.url },
      secrets: { [API_TOKEN]: OWN_TOKEN },
      env: { DOMAIN_MONITORING_BASE_URL: other.url, DOMAIN_MONITORING_API_TOKEN: OTHER_TOKEN },
    });

    expect((await stack.up()).failed).toBe(false);
    expect(isUsed(own)).toBe(true);
    expect(other.requests).toEqual([]);
  });

  it("sends each account's token to its own address if one of them has a Provider", async () => {
    const stack = await create({
      workDir: makeProject(),
      config: { [BASE_URL]: `${own.url}/` },
      env: { ...environmentFor(own), OTHER_URL: other.url, OTHER_TOKEN },
      keepsSecret: [OWN_TOKEN, OTHER_TOKEN],
    });

    expect((await stack.up()).failed).toBe(false);
    expect({ own: isUsed(own), other: isUsed(other) }).toEqual({ own: true, other: true });
  });
}
