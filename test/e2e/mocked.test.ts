/** A program's test with the SDK's mocks, in a separate process like that of a test runner. */
import { Projects } from "../support/project";
import { run } from "../support/run";

const DOMAIN_ID = "11111111-1111-4111-8111-111111111111";

const EXPIRED = {
  domain: "shop.example",
  expiresAt: "2020-01-31",
  components: { whois: { lastCheckedAt: null } },
};

const PROGRAM = `
  const pulumi = require("@pulumi/pulumi");
  const { DomainAlerts } = require("pulumi-domain-monitoring");
  let count = 0;
  process.on("unhandledRejection", () => { count += 1; });
  process.on("exit", () => console.log("rejections:", count));
  const mocks = {
    newResource: ({ name, inputs }) => ({ id: name, state: inputs }),
    call: ({ inputs }) => ({ ...inputs, ...${JSON.stringify(EXPIRED)} }),
  };
  pulumi.runtime.setMocks(mocks).then(() => {
    const mail = { label: "Desk", type: "email", value: "desk@example.com" };
    const channels = { mail, desk: mail };
    new DomainAlerts("shop", { domainId: "${DOMAIN_ID}", channels, expiry: { minimumDays: 30 } });
  });`;

it("A rule that fails in a DomainAlerts leaves no rejection but the SDK's own", async () => {
  const cwd = new Projects().add("index.js", { "index.js": PROGRAM });
  const { output } = await run(process.execPath, ["index.js"], { cwd });
  // Three of the component, and one of each channel.
  expect(output).toContain("rejections: 5\n");
});
