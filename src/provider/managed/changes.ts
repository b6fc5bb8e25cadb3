/** Conversion of inputs to what an update sends. Pure. */
import type { UpdateNotificationChannel } from "../../client/types";
import { FLAGS } from "../../names";
import type { Properties } from "../boundary";
import { normalise } from "../inputs";
import { toChannel } from "../record";

/** An input that an update can change. */
export type UpdatableInput = Exclude<keyof UpdateNotificationChannel, "type">;

/** Every {@link UpdatableInput}. */
export const UPDATABLE: readonly UpdatableInput[] = ["label", "value", "secondaryValue", ...FLAGS];

/**
 * These inputs, for the client. A destination is sent with its type, on which its validity may depend, and as a whole. Null
 * is not sent: what an update makes of it is not known, so clearing a destination replaces the channel.
 */
export function toUpdate(inputs: Properties, names: readonly UpdatableInput[]): UpdateNotificationChannel {
  const { type, ...channel } = toChannel(normalise(inputs));
  const destination = names.includes("value") || names.includes("secondaryValue");
  const sent: readonly string[] = names.includes("value") ? [...names, "secondaryValue"] : names;
  const fields = Object.entries(channel).filter(
    ([name, value]) => sent.includes(name) && value !== undefined && value !== null,
  );
  return { ...Object.fromEntries(fields), ...(destination && fields.length > 0 && { type }) };
}
