/**
 * Copies of examples. Engines and builds write beside a program, and the repository has to stay
 * unchanged.
 */
import { cpSync, symlinkSync } from "node:fs";
import path from "node:path";

export const root = path.join(__dirname, "../../..");

/** Files that Pulumi, a build, a run or an install leaves beside a program. */
const LEFT =
  /^(node_modules|dist|sdks|venv|target|__pycache__|go\.sum|package-lock\.json|\.fleet-state\.json|Pulumi\..+\.yaml)$/;

/** Copies a directory of the repository. */
export function copyInto(target: string, directory: string): void {
  const filter = (source: string) => !LEFT.test(path.basename(source));
  cpSync(path.join(root, directory), target, { recursive: true, filter });
}

/** Lets a directory find the repository's packages. */
export function linkPackages(directory: string): void {
  symlinkSync(path.join(root, "node_modules"), path.join(directory, "node_modules"), "junction");
}
