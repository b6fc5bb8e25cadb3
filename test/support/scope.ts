/**
 * What is run, by the command of scripts/test.cjs: what needs no engine, what runs on the real one,
 * or all of both. Without one of these commands, a file is run whole.
 */
const { TEST_SCOPE } = process.env;

/** Whether the offline engine runs programs: not where the real one alone is asked for. */
export const isOffline = TEST_SCOPE !== "engine";

/** Whether everything is run that there is, however long it takes. */
export const isThorough = TEST_SCOPE === undefined || TEST_SCOPE === "all";

/** Whether one of several ways to the same result is enough. */
export const isQuick = TEST_SCOPE === "offline";

/** How many lives of a stack are lived. */
export const LIVES = TEST_SCOPE === "all" ? "1500" : "40";
