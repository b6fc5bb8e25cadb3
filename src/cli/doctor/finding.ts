/** A finding of the doctor. */
export interface Finding {
  /** `fix`: something to fix. `unclear`: could not be determined. `note`: for information. */
  state: "ok" | "fix" | "unclear" | "note";

  /** For a problem, the cause first and the fix second. */
  text: string;
}

/** Findings by topic, in the order shown. Undefined ones are not shown. */
export type Findings = Record<string, Finding | undefined>;
