/** Why a sign-in at the provider failed. */
import { SignInFailed } from "@runhook/core/people/IdentityProvider"
import * as client from "openid-client"

/** A person's refusal, by the names of RFC 6749 and OpenID Connect. */
const saidNo: ReadonlySet<string> = new Set(["access_denied", "consent_required", "login_required"])

export const failureOf = (error: unknown, otherwise: SignInFailed["reason"]): SignInFailed =>
  new SignInFailed({ reason: reasonOf(error) ?? otherwise, detail: detailOf(error) })

const reasonOf = (error: unknown): SignInFailed["reason"] | undefined => {
  if (error instanceof client.AuthorizationResponseError) {
    return saidNo.has(error.error) ? "refused" : "invalid"
  }
  const isUnreachable = error instanceof TypeError && error.message === "fetch failed"
  return isUnreachable || (error instanceof client.ClientError && isAway(error)) ? "away" : undefined
}

const isAway = ({ cause, code }: client.ClientError): boolean =>
  code === "OAUTH_TIMEOUT" || (isResponse(cause) && cause.status >= 500)

/** By its tag: programs that bring a `fetch` of their own bring a class of answers with it. */
const isResponse = (cause: unknown): cause is Response =>
  Object.prototype.toString.call(cause) === "[object Response]"

/** The library's messages name rules and codes, and no token. */
const detailOf = (error: unknown): string => {
  if (!(error instanceof Error)) return "unknown"
  const code = error instanceof client.ResponseBodyError ? `: ${codeOf(error)}` : ""
  return error.message + code + causeOf(error)
}

const causeOf = ({ cause }: Error): string => {
  if (isResponse(cause)) return `: ${cause.status} from ${URL.parse(cause.url)?.pathname}`
  return cause instanceof Error ? `: ${cause.message}` : ""
}

/** An error code is the provider's word. */
const codeOf = ({ error, status }: client.ResponseBodyError): string =>
  /^\w{1,64}$/.test(error) ? error : `status ${status}`
