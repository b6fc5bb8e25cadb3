/**
 * The JSON of requests and answers (interface.md, sections 2 and 4). The only modules that know it.
 *
 * Answers are read leniently: unknown fields are dropped, unknown enum values are kept, and fields that are empty before
 * the first check may be null or missing.
 * Loading these modules loads zod, so `http.ts` and the operations require them on their first call only.
 */
export * from "./changes";
export * from "./channels";
export * from "./domains";
