// The program in `site` has resources of other packages: mocks answer for their providers.
import * as path from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { type Emulator, startEmulator } from "domain-monitoring-emulator";
import { TestStack } from "pulumi-offline";

/** These mocks work with `pulumi.runtime.setMocks` too. */
function mocksFor(domainId: string): pulumi.runtime.Mocks {
  return {
    newResource({ type, name, inputs, id }) {
      switch (type) {
        case "pulumi:pulumi:StackReference":
          return { id, state: { outputs: { domainId } } };
        case "random:index/randomPassword:RandomPassword":
          return {
            id: "none",
            state: { ...inputs, result: pulumi.secret(`t0ken-${inputs.keepers.rotation}`) },
          };
        case "tls:index/privateKey:PrivateKey":
          return {
            id: `${name}_id`,
            state: { ...inputs, privateKeyPem: pulumi.secret("pr1vate key") },
          };
        case "tls:index/certRequest:CertRequest":
          return {
            id: `${name}_id`,
            state: { ...inputs, certRequestPem: `for ${inputs.dnsNames}` },
          };
        default:
          throw new Error("unexpected resource");
      }
    },
    call: () => ({}),
  };
}

function stackOn(service: Emulator, domainId: string, config: Record<string, string> = {}) {
  return TestStack.create({
    workDir: path.join(__dirname, "site"),
    config: Object.assign(config, {
      sharedStack: "organization/shared/prod",
      "domain-monitoring:baseUrl": service.url,
    }),
    secrets: { "domain-monitoring:apiToken": service.token },
    mocks: mocksFor(domainId),
  });
}

describe("the program with resources of other packages", () => {
  test("lives from preview to destroy", async () => {
    await using service = await startEmulator();
    const domainId = service.addDomain({ domain: "example.com" });
    const config: Record<string, string> = {};
    await using stack = await stackOn(service, domainId, config);

    expect((await stack.preview()).changes).toEqual({ read: 1, create: 4 });
    const { outputs } = await stack.up();
    expect(outputs.certificateRequest).toEqual({ value: "for example.com", secret: false });
    expect(service.channels()).toMatchObject([{ value: "https://alerts.example.com/t0ken-1" }]);
    await stack.up({ expectNoChanges: true });

    // A new token is a new destination, so the channel is replaced.
    config.rotation = "2";
    const { steps } = await stack.up();
    expect(
      steps
        .filter(({ operation }) => ["update", "replace"].includes(operation))
        .map(({ name }) => name),
    ).toEqual(["token", "alerts"]);
    expect(service.channels().at(-1)?.value).toBe("https://alerts.example.com/t0ken-2");

    expect((await stack.refresh()).changes).toEqual({ same: 5 });
    expect((await stack.destroy()).changes).toEqual({ delete: 4, discard: 1 });
  });

  test("keeps the key and the token secret", async () => {
    await using service = await startEmulator();
    await using stack = await stackOn(service, service.addDomain());

    const { resources, diagnostics } = await stack.up();

    const secrets = resources.map(({ name, secretOutputs }) => [name, secretOutputs]);
    expect(Object.fromEntries(secrets)).toMatchObject({
      key: ["privateKeyPem"],
      request: ["privateKeyPem"],
      token: ["result"],
    });
    expect(JSON.stringify([resources, diagnostics])).not.toMatch(/t0ken|pr1vate/);
  });
});
