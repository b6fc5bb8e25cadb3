/**
 * Compilers of samples. Each takes directories with one program each, and names the directory in
 * its messages.
 */
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { root } from "../../docs/support/markdown";
import { type Account, environmentFor } from "../../support/account";
import { Cli } from "../../support/cli";
import { run } from "../../support/run";
import { temporaryDirectory } from "../../support/temporary";
import { EXECUTABLE, PLUGIN_DIRECTORY } from "./plugin-process";
import type { Sample } from "./samples";

const { identityOf } = require("../../../scripts/release/owner.cjs");
const { goModule, basePackage }: Record<"goModule" | "basePackage", string> = identityOf(
  require("../../../package.json"),
);

/**
 * Runs a command and returns all of its output.
 * @throws Error if it fails where it must succeed
 */
type Command = (command: string, ...args: string[]) => Promise<string>;

interface Project {
  directory: string;

  /** Names of the directories below `directory`, with one program in each. */
  programs: string[];

  /** The service that previews use. */
  service: Account;
  cli: Cli;
  tell: Command;
  mustRun: Command;
}

interface Compiler {
  /** Commands that have to be on PATH. */
  needs: string[];

  /** Whether packages come from a registry. @default false */
  fetches?: boolean;

  /** The compiler's name in the page. */
  by: string;

  /** Pulumi's name for the language of an SDK. */
  sdk?: string;
  file: string;

  /** A sample as a whole program. Guides show some samples without the code around them. */
  whole(code: string, name: string): string;

  /** Returns the compiler's output. */
  compile(project: Project): Promise<string>;
}

export const COMPILERS: Record<string, Compiler> = {
  typescript: {
    needs: ["pulumi-language-nodejs"],
    by: "tsc",
    sdk: "nodejs",
    file: "index.ts",
    whole: (code) =>
      code.includes("import ")
        ? code
        : `import * as pulumi from "@pulumi/pulumi";\nimport * as monitoring from "pulumi-domain-monitoring-sdk";\n${code}\nexport {};\n`,
    async compile({ directory, tell }) {
      symlinkSync(path.join(root, "node_modules"), path.join(directory, "node_modules"));
      const compilerOptions = {
        target: "ES2022",
        module: "node16",
        moduleResolution: "node16",
        types: ["node"],
        strict: true,
        skipLibCheck: true,
        noEmit: true,
        paths: { "pulumi-domain-monitoring-sdk": ["./sdk/nodejs/index.ts"] },
      };

      const config = { compilerOptions, include: ["sample_*/*.ts"] };
      writeFileSync(path.join(directory, "tsconfig.json"), JSON.stringify(config));

      return tell(process.execPath, require.resolve("typescript/bin/tsc"), "-p", directory);
    },
  },
  python: {
    needs: ["pulumi-language-python", "python3"],
    by: "mypy",
    fetches: true,
    sdk: "python",
    file: "program.py",
    whole: (code) =>
      code.includes("import pulumi_domain_monitoring")
        ? code
        : `import pulumi\nimport pulumi_domain_monitoring as monitoring\n${code}`,
    async compile({ directory, programs, tell, mustRun }) {
      const [pulumi = ""] = readFileSync(
        path.join(root, "examples/python/requirements.txt"),
        "utf8",
      ).split("\n");

      await mustRun("python3", "-m", "venv", "venv");
      await mustRun("venv/bin/pip", "install", "--quiet", pulumi, "mypy==2.4.1");
      symlinkSync(
        path.join(directory, "sdk/python/pulumi_domain_monitoring"),
        path.join(directory, "pulumi_domain_monitoring"),
      );

      // The SDK is generated, so problems inside it are not the sample's.
      const options = ["--follow-imports=silent", "--no-error-summary", "--explicit-package-bases"];

      return tell("venv/bin/mypy", ...options, ...programs.map((name) => `${name}/program.py`));
    },
  },
  go: {
    needs: ["pulumi-language-go", "go"],
    by: "go vet, gofmt",
    fetches: true,
    sdk: "go",
    file: "main.go",
    whole: (code) => (code.includes("package ") ? code : goProgram(code)),
    async compile({ directory, tell, mustRun }) {
      const example = readFileSync(path.join(root, "examples/go/go.mod"), "utf8");
      const required = /^\s*github\.com\/pulumi\/pulumi\/sdk\/v3 .*$/m.exec(example)?.[0].trim();
      writeFileSync(
        path.join(directory, "go.mod"),
        `module ${goModule}\n\ngo 1.25\n\nrequire ${required}\n`,
      );

      await mustRun("mv", "sdk/go/domainmonitoring", "domainmonitoring");
      // Also records checksums that are not known yet.
      await mustRun("go", "build", "-mod=mod", "./domainmonitoring");
      const vetted = await tell("go", "vet", "-mod=mod", "./...");

      return vetted + (await tell("gofmt", "-l", "."));
    },
  },
  java: {
    needs: ["pulumi-language-java", "javac", "mvn"],
    by: "javac",
    fetches: true,
    sdk: "java",
    file: "App.java",
    whole: (code, name) => javaProgram(code).replace(/^(package .*;)?/, `package ${name};`),
    async compile({ directory, programs, tell, mustRun }) {
      const pom = path.join(root, "examples/java/pom.xml");
      const output = `-Dmdep.outputFile=${directory}/classpath`;
      await mustRun("mvn", "-q", "-f", pom, "dependency:build-classpath", output);
      const classpath = readFileSync(path.join(directory, "classpath"), "utf8").trim();
      const options = ["-cp", classpath, "-d", "classes", "-sourcepath", "sdk/java/src/main/java"];
      const files = programs.map((name) => `${name}/App.java`);

      return tell("javac", ...options, "-Xlint:-options", ...files);
    },
  },
  yaml: {
    needs: ["pulumi-language-yaml"],
    by: "a preview on the local service",
    file: "Pulumi.yaml",
    whole: (code) =>
      code.includes("runtime: yaml")
        ? code.replace(/^name: .*$/m, "name: sample")
        : `name: sample\nruntime: yaml\n${code}`,
    /**
     * Previews one sample after the other in the same stack. A stack for each sample would take
     * three times as long.
     */
    async compile({ directory, programs, service, cli, mustRun }) {
      const stack = path.join(directory, "stack");
      const inStack = (...args: string[]) => cli.run("--cwd", stack, ...args);
      await cli.installPlugin(PLUGIN_DIRECTORY);
      await mustRun("cp", "-r", programs[0] ?? "", "stack");
      await inStack("stack", "init", "test");
      for (const [key, secrecy, value] of yamlConfig(service))
        await inStack("config", "set", secrecy, key, value);

      const failures: string[] = [];
      for (const name of programs) {
        await mustRun("cp", `${name}/Pulumi.yaml`, "stack");
        const { code, output } = await inStack("preview");
        if (code !== 0) failures.push(`${name}: ${output}`);
      }

      return failures.join("\n");
    },
  },
};

/** Stack config that samples in YAML read. */
function yamlConfig({ url, token }: Account): [key: string, secrecy: string, value: string][] {
  return [
    ["slackUrl", "--secret", "https://hooks.slack.com/services/sample"],
    ["domainId", "--plaintext", "11111111-1111-4111-8111-111111111111"],
    ["domainName", "--plaintext", "example.com"],
    ["subsidiaryUrl", "--plaintext", url],
    ["subsidiaryToken", "--secret", token],
    ["subsidiaryDomainName", "--plaintext", "example.org"],
  ];
}

/** Wraps lines of Go in a program. Go requires that every value and every error is used. */
function goProgram(code: string): string {
  const declared = [...code.matchAll(/^(?:var )?(\w+(?:, \w+)*) (?::=|pulumi\.)/gm)];
  const names = new Set(declared.flatMap(([, some = ""]) => some.split(", ")));
  const used = [...names].map((name) => `\t\t_ = ${name}\n`).join("");
  const lines = code.replace(/^(?=.)/gm, "\t\t");

  return `package main

import (
	monitoring "${goModule}/domainmonitoring"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
${lines}${used}		return nil
	})
}
`;
}

/** Wraps lines of Java in a program. */
function javaProgram(code: string): string {
  if (code.includes("class ")) return code;

  const imported = ["", ".enums", ".inputs", ".outputs"].map(
    (part) => `import ${basePackage}.domainmonitoring${part}.*;\n`,
  );

  return `import com.pulumi.Pulumi;\n${imported.join("")}
public class App {
    public static void main(String[] args) {
        Pulumi.run(ctx -> {
${code}        });
    }
}
`;
}

/**
 * Compiles samples of one language.
 * @returns the compiler's messages for each refused sample, by its place
 */
export async function refusals(
  compiler: Compiler,
  samples: readonly Sample[],
  service: Account,
): Promise<Record<string, string>> {
  const directory = temporaryDirectory();
  const cli = new Cli(directory, environmentFor(service));

  const tell: Command = async (command, ...args) =>
    (await run(command, args, { cwd: directory })).output;

  const mustRun: Command = async (command, ...args) => {
    const { code, output } = await run(command, args, { cwd: directory });
    if (code !== 0) throw new Error(`${command} ${args.join(" ")}: ${output}`);
    return output;
  };

  const programs = samples.map(({ code }, index) => {
    const name = `sample_${index}`;
    mkdirSync(path.join(directory, name));
    writeFileSync(path.join(directory, name, compiler.file), compiler.whole(code, name));
    return name;
  });

  if (compiler.sdk) {
    const args = ["--language", compiler.sdk, "--out", "sdk"];
    const { code, output } = await cli.run("package", "gen-sdk", EXECUTABLE, ...args);
    if (code !== 0) throw new Error(output);
  }

  const output = await compiler.compile({ directory, programs, service, cli, tell, mustRun });

  return byPlace(output, samples);
}

/**
 * The compiler's lines by the sample's place. A line that names no directory belongs to the sample
 * before it.
 */
function byPlace(output: string, samples: readonly Sample[]): Record<string, string> {
  const found: Record<string, string> = {};
  let place = "no sample";
  for (const line of output.split("\n").filter((text) => text.trim() !== "")) {
    const index = /sample_(\d+)/.exec(line)?.[1];
    if (index !== undefined) place = samples[Number(index)]?.place ?? place;
    found[place] = `${found[place] ?? ""}${line}\n`;
  }

  return found;
}
