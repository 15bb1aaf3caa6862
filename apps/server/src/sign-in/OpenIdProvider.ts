/**
 * An OpenID Connect provider, by the authorization code flow with PKCE, `state` and
 * `nonce`. `openid-client` verifies the provider's answers: signature (by a public
 * key of the provider), issuer, audience, times and nonce.
 */
import { type IdentityProvider, SignInFailed } from "@runhook/core/people/IdentityProvider"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Redacted from "effect/Redacted"
import * as client from "openid-client"
import { claimsOf } from "./ProviderClaims.ts"
import { failureOf } from "./ProviderFailures.ts"

export interface OpenIdProviderOptions {
  /** `https`, or `http` on this machine. */
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: Redacted.Redacted
}

/** Seconds that an answer of the provider may take. */
export const timeoutSeconds = 10

/** For how long a provider that did not answer is not asked again. */
export const pauseMillis = 5_000

/** How long a subject may be, and of which characters, by OpenID Connect. */
const isSubject = /^[\x20-\x7E]{1,255}$/

/** The provider. Its configuration is fetched once, at the first sign-in, so the service starts without it. */
export const make = ({
  clientId,
  clientSecret,
  issuer
}: OpenIdProviderOptions): Effect.Effect<NonNullable<IdentityProvider>> =>
  Effect.gen(function* () {
    let pausedUntil = 0

    const asking = Effect.fnUntraced(function* <A>(ask: Effect.Effect<A, SignInFailed>) {
      const now = yield* Clock.currentTimeMillis
      if (now < pausedUntil) {
        return yield* new SignInFailed({ reason: "away", detail: "It did not answer a moment ago" })
      }
      return yield* Effect.tapError(ask, ({ reason }) =>
        Effect.map(Clock.currentTimeMillis, (then) => {
          if (reason === "away") pausedUntil = then + pauseMillis
        })
      )
    })

    const configuration = yield* attempt("away", () =>
      client.discovery(new URL(issuer), clientId, undefined, authenticating(clientSecret), {
        timeout: timeoutSeconds,
        execute: [
          client.enableNonRepudiationChecks,
          // The settings decide which issuers may be without TLS.
          ...(issuer.startsWith("http:") ? [client.allowInsecureRequests] : [])
        ]
      })
    ).pipe(Effect.cachedWithTTL((exit) => (Exit.isSuccess(exit) ? Duration.infinity : Duration.zero)))

    return {
      begin: Effect.fnUntraced(function* ({ redirectUri }) {
        const provider = yield* asking(configuration)
        const progress = {
          state: client.randomState(),
          nonce: client.randomNonce(),
          codeVerifier: client.randomPKCECodeVerifier()
        }
        const challenge = yield* attempt("invalid", () =>
          client.calculatePKCECodeChallenge(progress.codeVerifier)
        )
        const url = client.buildAuthorizationUrl(provider, {
          redirect_uri: redirectUri,
          scope: scopeOf(provider),
          state: progress.state,
          nonce: progress.nonce,
          code_challenge: challenge,
          code_challenge_method: "S256"
        })
        return { url: url.href, progress }
      }),

      finish: Effect.fnUntraced(function* ({ progress, url }) {
        const provider = yield* asking(configuration)
        return yield* asking(
          attempt("invalid", async () => {
            const tokens = await client.authorizationCodeGrant(provider, new URL(url), {
              expectedState: progress.state,
              expectedNonce: progress.nonce,
              pkceCodeVerifier: progress.codeVerifier,
              idTokenExpected: true
            })
            const said = tokens.claims()
            if (said === undefined) throw new Error("The provider sent no id token")
            if (!isSubject.test(said.sub)) throw new Error("The subject is not 1 to 255 ASCII characters")
            // Some providers give names and groups only there.
            const more =
              provider.serverMetadata().userinfo_endpoint === undefined
                ? {}
                : await client.fetchUserInfo(provider, tokens.access_token, said.sub)
            return claimsOf([said, more], said)
          })
        )
      })
    }
  })

/** The method that every provider takes, unless it says otherwise. */
const authenticating = (clientSecret: Redacted.Redacted): client.ClientAuth => {
  const basic = client.ClientSecretBasic(Redacted.value(clientSecret))
  const post = client.ClientSecretPost(Redacted.value(clientSecret))
  return (server, ...request) => {
    const known = server.token_endpoint_auth_methods_supported
    const authenticate = known?.includes("client_secret_basic") === false ? post : basic
    return authenticate(server, ...request)
  }
}

/** Only scopes that the provider knows: some refuse unknown ones. */
const scopeOf = (provider: client.Configuration): string =>
  provider.serverMetadata().scopes_supported?.includes("groups") === true
    ? "openid profile email groups"
    : "openid profile email"

const attempt = <A>(
  otherwise: SignInFailed["reason"],
  act: () => Promise<A>
): Effect.Effect<A, SignInFailed> =>
  Effect.tryPromise({ try: act, catch: (error) => failureOf(error, otherwise) })
