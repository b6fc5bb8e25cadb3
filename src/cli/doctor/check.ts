/** One thing that doctor has looked at. */
export interface Check {
  /** `unclear`: it could not be determined. `note`: nothing to judge. */
  state: "ok" | "fix" | "unclear" | "note";
  /** What was looked at, in a word or two. */
  topic: string;
  /** What was found; where it is not as it should be, the cause first and the fix second. */
  text: string;
}
