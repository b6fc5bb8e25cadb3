/** Result of one check. */
export interface Check {
  /** `unclear`: could not be determined. `note`: for information. */
  state: "ok" | "fix" | "unclear" | "note";
  /** Subject of the check, in a word or two. */
  topic: string;
  /** The finding; for a problem, the cause first and the fix second. */
  text: string;
}
