/**
 * The text that the engine keeps in every state in place of the provider's code.
 *
 * It is a constant that requires the installed package: it never changes with our releases, so it never shows as a
 * difference, and refresh and destroy run the code that is installed, not the code of back then. Nothing is captured, so
 * the SDK's serializer does not run and no secret can get in. `pulumi-domain-monitoring/provider` can therefore never go away.
 */
// Single quotes: double ones take two bytes each in the state, and it holds this text twice for every channel.
export const PROVIDER_TEXT = "exports.handler=()=>require('pulumi-domain-monitoring/provider').channel";
