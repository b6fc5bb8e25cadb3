/** Result of one check. */
export interface Check {
  /** `unclear`: could not be determined. `note`: for information. */
  state: "ok" | "fix" | "unclear" | "note";
  /** Subject of the check, in a word or two. */
  topic: string;
  /** The finding; for a problem, the cause first and the fix second. */
  text: string;
}

/** The results that a check on this topic may have. */
export function about(topic: string): Record<Check["state"], (text: string) => Check> {
  const result = (state: Check["state"]) => (text: string) => ({ state, topic, text });
  return { ok: result("ok"), fix: result("fix"), unclear: result("unclear"), note: result("note") };
}
