/** A diagnosis of the doctor. */
export interface Diagnosis {
  /** `fix`: something to fix. `unclear`: could not be determined. `note`: for information. */
  state: "ok" | "fix" | "unclear" | "note";

  /** For a problem, the cause first and the fix second. */
  text: string;
}

/** Diagnoses by topic, in the order shown. */
export type Diagnoses = Record<string, Diagnosis>;
