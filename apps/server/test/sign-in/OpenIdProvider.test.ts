import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { TestClock } from "effect/testing"
import * as OpenIdProvider from "../../src/sign-in/OpenIdProvider.ts"
import { client, makeCrookedProvider } from "./CrookedProvider.ts"

/** A provider, and what signs somebody in there. */
const makeSignIn = Effect.fnUntraced(function* () {
  const crooked = yield* makeCrookedProvider()
  const provider = yield* OpenIdProvider.make({
    issuer: crooked.issuer,
    clientId: client.clientId,
    clientSecret: Redacted.make(client.clientSecret)
  })
  const begin = provider.begin({ redirectUri: "https://runhook.example.com/integrations/oidc/callback" })
  const signIn = Effect.gen(function* () {
    const { progress, url } = yield* begin
    return yield* provider.finish({ url: crooked.answerTo(url), progress })
  })
  const failure = Effect.map(Effect.flip(signIn), ({ detail, reason }) => `${reason}: ${detail}`)
  return { begin, crooked, failure, signIn }
})

/** Changes one bit of the signature of a token. */
const withAnotherBit = (token: string): string => {
  const [header, payload, signature = ""] = token.split(".")
  const bytes = Buffer.from(signature, "base64url")
  bytes.writeUInt8(bytes.readUInt8(100) ^ 1, 100)
  return [header, payload, bytes.toString("base64url")].join(".")
}

describe("an id token", () => {
  it.effect("is signed by the provider, to the last bit", () =>
    Effect.gen(function* () {
      const { crooked, failure, signIn } = yield* makeSignIn()
      const { subject } = yield* signIn

      crooked.tamper = withAnotherBit

      const detail = yield* failure
      assert.strictEqual(subject, "ada")
      assert.strictEqual(detail, "invalid: invalid response encountered: JWT signature verification failed")
    })
  )

  it.effect.each(["HS256", "none"] as const)("is signed by a public key, and not by %s", (alg) =>
    Effect.gen(function* () {
      const { crooked, failure } = yield* makeSignIn()

      crooked.alg = alg

      const detail = yield* failure
      assert.match(detail, /^invalid: unsupported operation: unsupported JWS/)
    })
  )

  it.effect.each([
    { what: "nothing", sub: "" },
    { what: "more than 255 characters", sub: "a".repeat(256) },
    { what: "two lines", sub: "ada\nadmin" }
  ])("names a person as OpenID Connect does, and not by $what", ({ sub }) =>
    Effect.gen(function* () {
      const { crooked, failure } = yield* makeSignIn()

      crooked.token = { sub }

      assert.match(yield* failure, /^invalid: The subject is not/)
    })
  )
})

describe("what a provider says of a person", () => {
  it.effect("is taken from the answer of that very person alone", () =>
    Effect.gen(function* () {
      const { crooked, failure } = yield* makeSignIn()

      crooked.userinfo = { sub: "bob", email: "ada@example.com", email_verified: true, groups: ["ops"] }

      assert.match(yield* failure, /^invalid: .*"sub"/)
    })
  )

  it.effect("is never put together: an address counts where the same source says that it is verified", () =>
    Effect.gen(function* () {
      const { crooked, signIn } = yield* makeSignIn()
      const addressOf = Effect.fnUntraced(function* (token: object, userinfo: object) {
        crooked.token = { sub: "ada", ...token }
        crooked.userinfo = { sub: "ada", ...userinfo }
        return (yield* signIn).verifiedEmail
      })
      const [own, admins] = ["ada@elsewhere.org", "admin@example.com"]

      const addresses = [
        yield* addressOf({ email_verified: true }, { email: admins }),
        yield* addressOf({ email: admins }, { email_verified: true }),
        yield* addressOf({ email: own, email_verified: true }, { email: admins, email_verified: true }),
        yield* addressOf({ email: own, email_verified: false }, { email: admins, email_verified: true }),
        yield* addressOf({ email: own }, { email: own, email_verified: true })
      ]

      assert.deepStrictEqual(addresses, [null, null, own, null, own])
    })
  )
})

describe("a provider", () => {
  const discovery = "/.well-known/openid-configuration"

  it.effect.each([
    { path: discovery, once: [discovery] },
    { path: "/keys", once: [discovery, "/token", "/keys"] }
  ])("that does not answer at $path is asked again after a moment", ({ once, path }) =>
    Effect.gen(function* () {
      const { crooked, failure, signIn } = yield* makeSignIn()
      crooked.broken = { path, status: 503 }

      const first = yield* failure
      const others = yield* Effect.all(
        Array.from({ length: 20 }, () => failure),
        { concurrency: "unbounded" }
      )
      const asked = [...crooked.asked]
      crooked.broken = null
      yield* TestClock.adjust("5 seconds")
      const { subject } = yield* signIn

      assert.include(first, `503 from ${path}`)
      assert.deepStrictEqual(new Set(others), new Set(["away: It did not answer a moment ago"]))
      assert.deepStrictEqual(asked, once)
      assert.strictEqual(subject, "ada")
    })
  )

  it.effect("is asked once about itself, for all who begin", () =>
    Effect.gen(function* () {
      const { begin, crooked } = yield* makeSignIn()

      yield* Effect.all([begin, begin, begin], { concurrency: "unbounded" })
      yield* begin

      assert.deepStrictEqual(crooked.asked, [discovery])
    })
  )
})
