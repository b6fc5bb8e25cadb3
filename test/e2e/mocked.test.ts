/** A program's test with the SDK's mocks, in a separate process like that of a test runner. */
import { Projects } from "../support/project";
import { run } from "../support/run";

it("A DomainAlerts names the function and the field that its mocks have to answer", async () => {
  const workDir = new Projects().add("index.js", {
    "index.js": `
      const pulumi = require("@pulumi/pulumi");
      const { DomainAlerts } = require("pulumi-domain-monitoring");
      pulumi.runtime.setMocks({
        newResource: ({ name, inputs }) => ({ id: name, state: inputs }),
        call: ({ inputs }) => inputs,
      }).then(() => {
        const channels = { mail: { label: "Desk", type: "email", value: "desk@example.com" } };
        const domainId = "11111111-1111-4111-8111-111111111111";
        new DomainAlerts("shop", { domainId, channels, expiry: { minimumDays: 30 } });
      });`,
  });

  const { code, output } = await run(process.execPath, ["index.js"], { cwd: workDir });

  expect(code).toBe(1);
  expect(output).toContain(
    "the domain has no expiresAt, which the rule reads: mocks have to return it for domain-monitoring:index:getDomain",
  );

  expect(output).not.toContain("Cannot read properties");
});
