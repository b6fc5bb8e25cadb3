import { cpSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type Emulator, startEmulator } from "../../src/testing";
import { describeOnEngines } from "../support/engines";

const root = path.join(__dirname, "../..");

// That it is deployed, and left alone by a second up, is tested with the other examples: test/e2e/examples.test.ts.
describeOnEngines("examples/component", (create) => {
  let service: Emulator;
  let directory: string;

  beforeEach(async () => {
    service = await startEmulator();
    // A copy, as the engine writes the stack's settings beside the program.
    directory = mkdtempSync(path.join(tmpdir(), "example-"));
    cpSync(path.join(root, "examples/component"), directory, { recursive: true });
    symlinkSync(path.join(root, "node_modules"), path.join(directory, "node_modules"));
  });
  afterEach(async () => {
    rmSync(directory, { recursive: true, force: true });
    await service.close();
  });

  it("warns of a domain that expires soon in its preview", async () => {
    const stack = await create({
      workDir: directory,
      config: { domainId: "22222222-2222-4222-8222-222222222222", minimumDays: "30" },
      secrets: {
        slackUrl: "https://hooks.example.com/destination-to-keep-secret",
        email: "destination-to-keep-secret@example.com",
      },
      env: { DOMAIN_MONITORING_BASE_URL: service.url, DOMAIN_MONITORING_API_TOKEN: service.token },
      keepsSecret: [service.token],
    });
    const preview = await stack.preview();
    expect(preview).toMatchObject({ failed: false, changes: { create: 3 } });
    const warnings = preview.diagnostics.filter(({ severity }) => severity === "warning");
    expect(warnings.map(({ message }) => message)).toEqual([
      expect.stringMatching(
        /^example\.org expires on [\d-]+, in 1[12] days, and 30 days are required: renew it$/,
      ),
    ]);
  });
});
