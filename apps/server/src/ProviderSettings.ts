/** Where people sign in to the Integrations page, beside links. */
import { setting } from "./Setting.ts"
import { accessRules, anyText, issuerUrl, secret } from "./SettingText.ts"

export const providerSettings = {
  oidcIssuer: setting({
    name: "RUNHOOK_OIDC_ISSUER",
    default: "unset: people sign in to the Integrations page by links",
    meaning:
      "The OpenID Connect provider at which people sign in, such as `https://login.example.com`, as it calls itself. It must lead back to `<base URL>/integrations/oidc/callback`.",
    parse: issuerUrl
  }),
  oidcClientId: setting({
    name: "RUNHOOK_OIDC_CLIENT_ID",
    default: "unset",
    meaning: "What the provider knows this service by.",
    parse: anyText
  }),
  oidcClientSecret: setting({
    name: "RUNHOOK_OIDC_CLIENT_SECRET",
    default: "unset",
    meaning: "The secret that the provider has given to it.",
    parse: secret
  }),
  oidcAllow: setting({
    name: "RUNHOOK_OIDC_ALLOW",
    default: "unset",
    meaning:
      "Who gets which role in which account, separated by commas: `example.com=<account id>:viewer` for everybody with a verified address of that domain, `ada@example.com=<account id>:admin` for one, `group:ops=<account id>:admin` for a group in the claim `groups`. The highest role counts; who is in no rule is not let in.",
    parse: accessRules
  })
}
