/** Which language hosts are installed. */
import { accessSync, constants } from "node:fs";
import path from "node:path";

export function isOnPath(command: string): boolean {
  return (process.env.PATH ?? "").split(path.delimiter).some((directory) => {
    try {
      accessSync(path.join(directory, command), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
