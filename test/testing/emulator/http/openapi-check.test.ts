/** The emulator against its own description, by schemathesis: hundreds of generated requests. */
import { spawnSync } from "node:child_process";
import path from "node:path";

const script = path.join(__dirname, "../../../../scripts/check-openapi.cjs");
const available = spawnSync("schemathesis", ["--version"]).status === 0;
const whereAvailable = available ? describe : describe.skip;

whereAvailable("the emulator (where there is a `schemathesis` command)", () => {
  it("does what its description says, whatever the request", () => {
    const { status, stdout } = spawnSync(process.execPath, [script], { encoding: "utf8", timeout: 230_000 });

    expect(stdout).toMatch(/^the default options: \d{3,} generated, \d{3,} passed/m);
    expect({ status, findings: status === 0 ? "" : stdout }).toEqual({ status: 0, findings: "" });
  }, 240_000);
});

describe("the check of the description", () => {
  it("says what is missing, and does not pass without it", () => {
    const { status, stderr } = spawnSync(process.execPath, [script], {
      encoding: "utf8",
      env: { PATH: path.dirname(script) },
    });

    expect(stderr).toMatch(
      /^check-openapi: there is no `schemathesis` on PATH: pip install schemathesis==[\d.]+\n$/,
    );
    expect(status).toBe(2);
  });
});
