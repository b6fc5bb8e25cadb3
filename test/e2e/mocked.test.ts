/** A program's test with the SDK's mocks, in a separate process like that of a test runner. */
import { Projects } from "../support/project";
import { run } from "../support/run";

const DOMAIN_ID = "11111111-1111-4111-8111-111111111111";

/** Declares this with mocks that return a domain with these fields. */
function mocked(fields: object, program: string) {
  const workDir = new Projects().add("index.js", {
    "index.js": `
      const pulumi = require("@pulumi/pulumi");
      const product = require("pulumi-domain-monitoring");
      const domainId = "${DOMAIN_ID}";
      const mail = { label: "Desk", type: "email", value: "desk@example.com" };
      pulumi.runtime.setMocks({
        newResource: ({ name, inputs }) => ({ id: name, state: inputs }),
        call: ({ inputs }) => ({ ...inputs, ...${JSON.stringify(fields)} }),
      }).then(() => {
        ${program}
      });`,
  });

  return run(process.execPath, ["index.js"], { cwd: workDir });
}

const EXPIRED = {
  domain: "shop.example",
  expiresAt: "2020-01-31",
  components: { whois: { lastCheckedAt: null } },
};

it.each([
  ["a DomainAlerts with two channels", "{ mail, desk: mail }", 5],
  ["a DomainAlerts without channels", "{}", 3],
])("A rule that fails in %s leaves no rejection but the SDK's own", async (_, channels, left) => {
  const { output } = await mocked(
    EXPIRED,
    `let count = 0;
     process.on("unhandledRejection", () => { count += 1; });
     process.on("exit", () => console.log("rejections:", count));
     new product.DomainAlerts("shop", { domainId, channels: ${channels}, expiry: { minimumDays: 30 } });`,
  );

  expect(output).toContain(`rejections: ${left}\n`);
});
