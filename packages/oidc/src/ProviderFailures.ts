/** Why a sign-in at the provider failed. */
import { SignInFailed } from "@runhook/core/ports/IdentityProvider"
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
  return isUnreachable || (error instanceof client.ClientError && error.code === "OAUTH_TIMEOUT")
    ? "away"
    : undefined
}

/** The library's messages name rules and codes, and no token. */
const detailOf = (error: unknown): string => {
  if (!(error instanceof Error)) return "unknown"
  const code = error instanceof client.ResponseBodyError ? `: ${error.error}` : ""
  const cause = error.cause instanceof Error ? `: ${error.cause.message}` : ""
  return error.message + code + cause
}
