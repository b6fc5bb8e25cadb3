/**
 * The error with which a call fails. @throws where it does not, or with an error of another class
 */
export async function failureOf<E extends Error = Error>(
  call: Promise<unknown>,
  kind: abstract new (...args: never[]) => E = Error as never,
): Promise<E> {
  const failure: unknown = await call.then(
    () => "a success",
    (error: unknown) => error,
  );

  if (!(failure instanceof kind))
    throw new Error(`expected a ${kind.name}, got ${String(failure)}`, { cause: failure });

  return failure;
}
