/** Signs people in at the operator's provider. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { IdentityClaims } from "./IdentityClaims.ts"

/** What to remember of a sign-in between its start and its end; a secret of the browser that began it. */
export const SignInProgress = Schema.Struct({
  state: Schema.String,
  nonce: Schema.String,
  codeVerifier: Schema.String
})
export type SignInProgress = typeof SignInProgress.Type

/** The provider did not vouch for anybody. */
export class SignInFailed extends Schema.TaggedError<SignInFailed>()("SignInFailed", {
  /**
   * `refused`: the person or the provider said no. `away`: the provider cannot be
   * reached. `invalid`: its answer does not hold up. `stale`: nothing was begun in
   * this browser, or it is over. `busy`: too many sign in at once. The last two never
   * come to the provider.
   */
  reason: Schema.Literals(["refused", "away", "invalid", "stale", "busy"]),
  /** For the operator's log. */
  detail: Schema.String
}) {
  override get message() {
    return `Sign-in at the provider failed (${this.reason}): ${this.detail}`
  }
}

/** A provider, or null if there is none. */
export type IdentityProvider = {
  /** Where to send the browser, and what to remember until it comes back. */
  begin(options: {
    readonly redirectUri: string
  }): Effect.Effect<{ readonly url: string; readonly progress: SignInProgress }, SignInFailed>

  /** The person who came back to this URL. */
  finish(options: {
    readonly url: string
    readonly progress: SignInProgress
  }): Effect.Effect<IdentityClaims, SignInFailed>
} | null

export const IdentityProvider = Context.Reference<IdentityProvider>("@runhook/core/people/IdentityProvider", {
  defaultValue: () => null
})
