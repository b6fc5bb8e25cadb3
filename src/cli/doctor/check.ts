/** Result of one check. */
export interface Check {
  /** `unclear`: could not be determined. `note`: for information. */
  state: "ok" | "fix" | "unclear" | "note";
  /** What was checked, in a word or two. */
  topic: string;
  /** What was found; for a problem, the cause first and the fix second. */
  text: string;
}
