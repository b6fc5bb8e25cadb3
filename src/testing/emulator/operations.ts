/** The operations by name, for what has to list them. */
import type { OperationName } from "./types";

export const OPERATIONS = [
  "getDomain",
  "listWhoisChanges",
  "listDnsChanges",
  "createNotificationChannel",
] as const satisfies OperationName[];
