/**
 * An OpenID Connect provider, by the authorization code flow with PKCE, `state` and
 * `nonce`. `openid-client` verifies the provider's answers: signature, issuer,
 * audience, times and nonce.
 */
import { type IdentityProvider, type SignInFailed } from "@runhook/core/ports/IdentityProvider"
import * as Effect from "effect/Effect"
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
const timeoutSeconds = 10

/** The provider. Its configuration is fetched at the first sign-in, so the service starts without it. */
export const make = ({
  clientId,
  clientSecret,
  issuer
}: OpenIdProviderOptions): Effect.Effect<NonNullable<IdentityProvider>> =>
  Effect.sync(() => {
    let known: client.Configuration | undefined

    const configuration = attempt("away", async () => {
      known ??= await client.discovery(new URL(issuer), clientId, undefined, authenticating(clientSecret), {
        timeout: timeoutSeconds,
        // The settings decide which issuers may be without TLS.
        execute: issuer.startsWith("http:") ? [client.allowInsecureRequests] : []
      })
      return known
    })

    return {
      begin: Effect.fnUntraced(function* ({ redirectUri }) {
        const provider = yield* configuration
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
        const provider = yield* configuration
        return yield* attempt("invalid", async () => {
          const tokens = await client.authorizationCodeGrant(provider, new URL(url), {
            expectedState: progress.state,
            expectedNonce: progress.nonce,
            pkceCodeVerifier: progress.codeVerifier,
            idTokenExpected: true
          })
          const said = tokens.claims()
          if (said === undefined) throw new Error("The provider sent no id token")
          // Some providers give names and groups only there.
          const more =
            provider.serverMetadata().userinfo_endpoint === undefined
              ? {}
              : await client.fetchUserInfo(provider, tokens.access_token, said.sub)
          return claimsOf({ ...said, ...more }, said)
        })
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
