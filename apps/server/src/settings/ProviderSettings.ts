/** Where people sign in to the Integrations page besides links. */
import { secretSetting, setting } from "./Setting.ts"
import { accessRules, anyText, issuerUrl, secret } from "./SettingText.ts"

export const providerSettings = {
  oidcIssuer: setting({
    name: "RUNHOOK_OIDC_ISSUER",
    default: "unset: people sign in to the Integrations page by links",
    meaning:
      "The OpenID Connect provider at which people sign in, by its own name for itself, such as `https://login.example.com`. Register `<base URL>/integrations/oidc/callback` there as the redirect URI.",
    parse: issuerUrl
  }),
  oidcClientId: setting({
    name: "RUNHOOK_OIDC_CLIENT_ID",
    default: "unset",
    meaning: "The client id of this service at the provider.",
    parse: anyText
  }),
  oidcClientSecret: secretSetting({
    name: "RUNHOOK_OIDC_CLIENT_SECRET",
    default: "unset",
    meaning: "The client secret from the provider.",
    parse: secret
  }),
  oidcAllow: setting({
    name: "RUNHOOK_OIDC_ALLOW",
    default: "unset",
    meaning:
      "Who gets which role in which account, separated by commas: `example.com=<account id>:viewer` for everybody with a verified address of that domain, `ada@example.com=<account id>:admin` for one, `group:ops=<account id>:admin` for a group in the claim `groups`. The highest role counts; people whom no rule names are not let in.",
    parse: accessRules
  })
}
