/** Where people sign in to the Integrations page. */
import * as Redacted from "effect/Redacted"

export const consolePath = "/integrations"
export const signInPath = `${consolePath}/sign-in`

/**
 * A link that signs in. The token is in the fragment, which browsers never send, so
 * it appears in no log and no Referer.
 */
export const linkUrl = (baseUrl: string, token: Redacted.Redacted): string =>
  `${baseUrl}${signInPath}#${Redacted.value(token)}`
