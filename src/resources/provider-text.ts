/**
 * The text that the engine keeps in every state in place of the provider's code.
 *
 * It is a constant that requires the installed package: it never changes with our releases, so it never shows as a
 * difference, and refresh and destroy run the code that is installed, not the code of back then. Nothing is captured, so
 * the SDK's serializer does not run and no secret can get in. `pulumi-domain-monitoring/provider` can therefore never go away.
 */
export const PROVIDER_TEXT =
  'exports.handler=()=>require("pulumi-domain-monitoring/provider").notificationChannel';
