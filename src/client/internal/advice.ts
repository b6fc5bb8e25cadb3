/** Meanings of statuses for experimental operations. */

const NO_OPERATION = "the service does not have this operation: use the service's own settings";

const MAY_LACK_IT = "A service without this operation gives the same response";

/** For an operation on channels. */
export const CHANNEL_ADVICE: Readonly<Record<number, string>> = {
  403: "the API token lacks a permission, or the channel is protected: use a token with the required scope",
  404: `not found: check the ids of domain and channel and the base address. ${MAY_LACK_IT}`,
  405: NO_OPERATION,
};

/** For an operation on one domain. */
export const DOMAIN_ADVICE: Readonly<Record<number, string>> = {
  404: `not found: check the domain's id, the base address and whose token it is. ${MAY_LACK_IT}`,
  405: NO_OPERATION,
};

/** The way without the list. It is not known where a service shows ids. */
const BY_ID =
  "give the domain's id, a UUID: the service's own pages may show it in their address or in the domain's settings";

const NO_LIST = "the service has no list of domains here (an experimental operation)";

/** For a response that does not seem to be the list of domains. */
export const NO_DOMAIN_LIST = `${NO_LIST}: check the base address, or ${BY_ID}`;

/** For the list of domains. */
export const DOMAIN_LIST_ADVICE: Readonly<Record<number, string>> = {
  302: `a redirect, as to a login page: ${NO_DOMAIN_LIST}`,
  403: `the API token may not list domains: use a token with the required scope, or ${BY_ID}`,
  404: NO_DOMAIN_LIST,
  405: `${NO_LIST}: ${BY_ID}`,
};
