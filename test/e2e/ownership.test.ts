/**
 * Who owns a domain or a channel, in whole programs. Each rule alone is tested in
 * test/provider/ownership.test.ts.
 */
import path from "node:path";
import { type Emulator, startEmulator } from "../../packages/domain-monitoring-emulator/src";
import { TestStack } from "../../packages/pulumi-offline/src";
import { Projects } from "../support/project";
import { temporaryDirectory } from "../support/temporary";

const MOVED =
  /got 404 at another base address .*pulumi config set domain-monitoring:abandon \S+` and `pulumi refresh --run-program`/;

const REFUSED = /is not deleted: it was recorded at another base address\. Correct the address/;

const SHARED = { id: "11111111-1111-4111-8111-111111111111", domain: "example.com" };

const BY_PACKAGE = `
  const { Domain, NotificationChannel } = require("pulumi-domain-monitoring");
  new Domain("one", { domain: "one.example", deletionPolicy: "delete" });
  new NotificationChannel("ops", { domainId: "${SHARED.id}", label: "Ops", type: "pushover", value: null });`;

it("drops nothing at the address of a copy of the service", async () => {
  await using service = await startEmulator({ domains: [SHARED], lifecycle: "managed" });
  await using copy = await startEmulator({ domains: [SHARED], lifecycle: "managed" });
  const workDir = new Projects().add("index.js", { "index.js": BY_PACKAGE });
  const stateFile = path.join(temporaryDirectory(), "state.json");
  const at = ({ url, token }: Emulator) =>
    TestStack.create({
      workDir,
      stateFile,
      passphrase: "test",
      config: { "domain-monitoring:baseUrl": url, "domain-monitoring:lifecycle": "managed" },
      secrets: { "domain-monitoring:apiToken": token },
    });

  await (await at(service)).up();
  const elsewhere = await at(copy);

  expect((await elsewhere.up()).changes).toEqual({ same: 2 });
  await expect(elsewhere.refresh()).rejects.toThrow(MOVED);
  await expect(elsewhere.destroy()).rejects.toThrow(REFUSED);
  expect((await elsewhere.preview()).resources).toHaveLength(2);
});

it("warns in the preview that deletedWith leaves a channel behind whose domain stays", async () => {
  await using service = await startEmulator({ lifecycle: "managed" });
  const program = `
    const { Domain, NotificationChannel } = require("pulumi-domain-monitoring");
    const domain = new Domain("one", { domain: "one.example" });
    const mail = { domainId: domain.id, label: "Ops", type: "pushover", value: null };
    new NotificationChannel("ops", mail, { deletedWith: domain });`;

  await using stack = await TestStack.create({
    workDir: new Projects().add("index.js", { "index.js": program }),
    config: { "domain-monitoring:baseUrl": service.url },
    secrets: { "domain-monitoring:apiToken": service.token },
  });

  const { diagnostics } = await stack.preview();

  expect(diagnostics.map(({ message }) => message)).toContainEqual(
    expect.stringContaining(
      'its domain has the deletionPolicy "abandon", so Pulumi deletes neither of them',
    ),
  );
});
