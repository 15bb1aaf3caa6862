/** Signing in at a real OpenID Connect provider, from the first redirect to the session. */
import { assert, describe, it } from "@effect/vitest"
import type { AccessRule } from "@runhook/core/domain/console/IdentityClaims"
import { AccountId } from "@runhook/core/domain/Ids"
import { AuditStore } from "@runhook/core/ports/AuditStore"
import { IdentityProvider } from "@runhook/core/ports/IdentityProvider"
import * as InProcessSignals from "@runhook/core/runtime/InProcessSignals"
import { ServiceKeys } from "@runhook/core/Settings"
import * as KeyRing from "@runhook/core/signing/KeyRing"
import { Accounts } from "@runhook/core/usecases/Accounts"
import { ConsoleSessions } from "@runhook/core/usecases/ConsoleSessions"
import * as ProviderRoutes from "@runhook/http/authentication/ProviderRoutes"
import { BaseUrl } from "@runhook/http/BaseUrl"
import * as Pipeline from "@runhook/http/pipeline/Pipeline"
import { RequestIds } from "@runhook/http/pipeline/RequestIds"
import * as OpenIdProvider from "@runhook/oidc/OpenIdProvider"
import * as MemoryStore from "@runhook/store-memory/MemoryStore"
import { layerWebCrypto } from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as HttpEffect from "effect/http/HttpEffect"
import * as HttpRouter from "effect/http/HttpRouter"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import { TestClock } from "effect/testing"
import { type Company, startCompany } from "./CompanyProvider.ts"

const baseUrl = "https://runhook.example.com"
const callback = `${baseUrl}/integrations/oidc/callback`
const stranger = "0198c5a2-7e4b-7c3d-9f10-2a6b8c4d5e6f"

const services = Layer.mergeAll(Accounts.layer, ConsoleSessions.layer).pipe(
  Layer.provideMerge(Layer.mergeAll(MemoryStore.layer, InProcessSignals.layer)),
  Layer.provideMerge(layerWebCrypto),
  Layer.provideMerge(
    Layer.succeed(ServiceKeys, Result.getOrThrow(KeyRing.parse(Buffer.alloc(32, 7).toString("base64"))))
  ),
  Layer.provideMerge(Layer.succeed(BaseUrl, baseUrl))
)

/** A service that trusts a company, whose rules name one account. */
const aService = Effect.gen(function* () {
  const company = yield* Effect.acquireRelease(Effect.promise(startCompany), (each) =>
    Effect.promise(() => each[Symbol.asyncDispose]())
  )
  company.knows(baseUrl)
  const { id } = yield* (yield* Accounts).create("Acme")
  const rules: ReadonlyArray<AccessRule> = [
    { who: { _tag: "Domain", domain: "example.com" }, accountId: id, role: "viewer" },
    { who: { _tag: "Group", group: "ops" }, accountId: id, role: "admin" },
    {
      who: { _tag: "Address", address: "lost@example.org" },
      accountId: AccountId.make(stranger),
      role: "admin"
    }
  ]
  const context = yield* Effect.context<Layer.Success<typeof services>>()
  const provider = yield* OpenIdProvider.make({
    ...company,
    clientSecret: Redacted.make(company.clientSecret)
  })
  const app = yield* HttpRouter.toHttpEffect(
    ProviderRoutes.layer.pipe(
      Layer.provide([
        Pipeline.layer.pipe(Layer.provide(RequestIds.layer)),
        Layer.succeed(IdentityProvider, provider),
        Layer.succeed(ProviderRoutes.AccessRules, rules),
        Layer.succeedContext(context)
      ])
    )
  )
  const answer = HttpEffect.toWebHandlerWith<never, Effect.Services<typeof app>>(context)(app)
  return { accountId: id, company, provider, browser: () => aBrowser(company, answer) }
})

/** Follows redirects between the two, and keeps the cookies of each. */
const aBrowser = (company: Company, service: (request: Request) => Promise<Response>) => {
  const jars = { service: new Map<string, string>(), company: new Map<string, string>() }
  const visit = async (url: string): Promise<Response> => {
    const isCompany = url.startsWith(company.issuer)
    const jar = isCompany ? jars.company : jars.service
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join("; ")
    const init = { headers: { cookie }, redirect: "manual" } as const
    const answer = isCompany ? await fetch(url, init) : await service(new Request(url, init))
    for (const line of answer.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (value === "") jar.delete(name)
      else jar.set(name, value)
    }
    return answer
  }
  /** Where the browser is led in the end; a page of the service has no handler here. */
  const follow = async (url: string, redirectsMax = 10): Promise<string> => {
    const place = new URL(url)
    const isPage = place.origin === baseUrl && !place.pathname.startsWith("/integrations/oidc/")
    if (isPage || redirectsMax === 0) return url.slice(baseUrl.length)
    const location = (await visit(url)).headers.get("location")
    return location === null ? url : follow(new URL(location, url).href, redirectsMax - 1)
  }
  /** The URL of the service that the provider leads back to, which nobody has visited yet. */
  const answerTo = async (url: string, redirectsMax = 10): Promise<string> => {
    if (url.startsWith(baseUrl) || redirectsMax === 0) return url
    const location = (await visit(url)).headers.get("location") ?? ""
    return answerTo(new URL(location, url).href, redirectsMax - 1)
  }
  return {
    cookies: jars.service,
    answerTo: (url: string) => Effect.promise(() => answerTo(url)),
    visit: (url: string) => Effect.promise(() => visit(url)),
    /** Begins a sign-in, and answers its state. */
    begin: Effect.promise(async () => {
      const location = (await visit(`${baseUrl}/integrations/oidc/start`)).headers.get("location") ?? ""
      return new URL(location).searchParams.get("state") ?? ""
    }),
    signIn: (to = "") =>
      Effect.promise(() =>
        follow(`${baseUrl}/integrations/oidc/start${to === "" ? "" : `?to=${encodeURIComponent(to)}`}`)
      ),
    follow: (url: string) => Effect.promise(() => follow(url))
  }
}

/** Where the company might lead back to with a state, with a code that it never gave. */
const madeUp = ({ issuer }: Company, state: string): string =>
  `${callback}?code=made-up&iss=${encodeURIComponent(issuer)}&state=${state}`

const sessionCookie = "__Host-runhook"
const ada = { sub: "ada", name: "Ada Lovelace", email: "ada@example.com", email_verified: true }

const sessionOf = (cookies: ReadonlyMap<string, string>) =>
  Effect.flatMap(ConsoleSessions, (sessions) =>
    sessions.open(Redacted.make(cookies.get(sessionCookie) ?? ""), "watching")
  )

describe("a company account", () => {
  it.live("signs in to the accounts that the rules give, and leads back to where one was", () =>
    Effect.gen(function* () {
      const { accountId, browser, company } = yield* aService
      company.person = { ...ada, groups: ["staff", "ops"] }
      const person = browser()

      const place = yield* person.signIn("/integrations/deliveries?state=dead")

      const [session, ...others] = yield* sessionOf(person.cookies)
      assert.strictEqual(place, "/integrations/deliveries?state=dead")
      assert.deepStrictEqual([...person.cookies.keys()], [sessionCookie])
      assert.deepInclude(session, {
        name: "Ada Lovelace",
        method: "oidc",
        accountId,
        role: "admin",
        maker: null
      })
      assert.isEmpty(others)
      const filter = { kind: null, actor: null, subjectId: null, text: "session.begun", from: null, to: null }
      const { items } = yield* (yield* AuditStore).list(accountId, filter, { after: null, limit: 2 })
      assert.deepStrictEqual(
        items.map(({ actor }) => actor.kind),
        ["member"]
      )
      assert.match(items[0]?.actor.requestId ?? "", /^req_[0-9a-z]{20}$/)
    }).pipe(Effect.provide(services))
  )

  it.live("opens nothing by an address that nobody has verified, nor an account that there is not", () =>
    Effect.gen(function* () {
      const { accountId, browser, company } = yield* aService
      const placeOf = Effect.fnUntraced(function* (person: Company["person"]) {
        company.person = person
        const page = browser()
        return [yield* page.signIn(), page.cookies.has(sessionCookie)]
      })

      const places = [
        yield* placeOf({ ...ada, email_verified: false }),
        yield* placeOf({ ...ada, email: "ada@example.com.elsewhere.org" }),
        yield* placeOf({ sub: "lost", email: "lost@example.org", email_verified: true }),
        yield* placeOf(ada)
      ]

      const none = ["/integrations/sign-in?problem=no_account", false]
      assert.deepStrictEqual(places, [none, none, none, ["/integrations", true]])
      assert.isNotEmpty(accountId)
    }).pipe(Effect.provide(services))
  )

  it.live("says in the page what went wrong", () =>
    Effect.gen(function* () {
      const { browser, company } = yield* aService
      const refused = yield* browser().signIn()
      company.isAway = true
      const page = browser()
      const away = yield* page.follow(madeUp(company, yield* page.begin))

      assert.deepStrictEqual(
        [away, refused],
        ["/integrations/sign-in?problem=away", "/integrations/sign-in?problem=refused"]
      )
    }).pipe(Effect.provide(services))
  )

  it.live("is finished by the browser that began it, once, and by no other", () =>
    Effect.gen(function* () {
      const { browser, company } = yield* aService
      company.person = ada
      const [mine, other] = [browser(), browser()]
      const start = yield* mine.visit(`${baseUrl}/integrations/oidc/start`)
      const away = start.headers.get("location") ?? ""

      const made = yield* other.follow(`${callback}?code=made-up&state=made-up`)
      yield* mine.follow(away)
      const stale = yield* mine.follow(`${callback}?code=made-up&state=made-up`)
      const tampered = browser()
      yield* tampered.visit(`${baseUrl}/integrations/oidc/start`)
      for (const [name, value] of tampered.cookies) {
        tampered.cookies.set(
          name,
          value.replace(/.$/, (last) => (last === "A" ? "B" : "A"))
        )
      }
      const forged = yield* tampered.follow(`${callback}?code=made-up&state=made-up`)

      const over = "/integrations/sign-in?problem=stale"
      assert.deepStrictEqual([made, stale, forged], [over, over, over])
      assert.match(
        start.headers.getSetCookie().join(),
        /^__Host-runhook-oidc=[^;]+; Max-Age=600; Path=\/; HttpOnly; Secure; SameSite=Lax$/
      )
      assert.match(away, /[?&]code_challenge_method=S256(?:&|$)/)
    }).pipe(Effect.provide(services))
  )

  it.live("is taken only in answer to what was asked, which is never the same twice", () =>
    Effect.gen(function* () {
      const { browser, company, provider } = yield* aService
      company.person = ada
      const asked: Array<string> = []
      const answered = Effect.fnUntraced(function* (change: Readonly<Record<string, string>>) {
        const { progress, url } = yield* provider.begin({ redirectUri: callback })
        asked.push(...Object.values(progress))
        const answer = yield* browser().answerTo(url)
        return yield* Effect.result(provider.finish({ url: answer, progress: { ...progress, ...change } }))
      })
      const another = "a".repeat(43)

      const taken = yield* answered({})
      const strange = [
        yield* answered({ state: another }),
        yield* answered({ nonce: another }),
        yield* answered({ codeVerifier: another })
      ]

      assert.isTrue(Result.isSuccess(taken))
      for (const result of strange) {
        assert.strictEqual(Result.isFailure(result) ? result.failure.reason : "taken", "invalid")
      }
      assert.strictEqual(new Set(asked).size, 12)
    }).pipe(Effect.provide(services))
  )

  it.live("asks the company about each sign-in that this browser began, once", () =>
    Effect.gen(function* () {
      const { browser, company } = yield* aService
      const page = browser()
      const answer = madeUp(company, yield* page.begin)
      const cookies = [...page.cookies]
      const comeBack = Effect.fnUntraced(function* (url: string) {
        for (const [name, value] of cookies) page.cookies.set(name, value)
        return yield* page.follow(url)
      })

      const foreign = yield* comeBack(madeUp(company, "made-up"))
      const twofold = yield* comeBack(`${answer}&state=made-up`)
      const before = company.asked
      const first = yield* comeBack(answer)
      const again = yield* comeBack(answer.replace("made-up", "another"))

      const over = "/integrations/sign-in?problem=stale"
      assert.deepStrictEqual(
        [foreign, twofold, first, again],
        [over, over, "/integrations/sign-in?problem=invalid", over]
      )
      assert.deepStrictEqual([before, company.asked], [0, 1])
    }).pipe(Effect.provide(services))
  )

  it.effect("asks the company no more often than a company would sign in, whoever comes back", () =>
    Effect.gen(function* () {
      const { browser, company } = yield* aService
      const strangers = yield* Effect.forEach(Array.from({ length: 300 }), () =>
        Effect.gen(function* () {
          const page = browser()
          return page.follow(madeUp(company, yield* page.begin))
        })
      )

      const oneByOne = yield* Effect.all(strangers.slice(0, 100))
      const asked = company.asked
      company.person = ada
      yield* TestClock.adjust("1 minute")
      yield* Effect.all(strangers.slice(100), { concurrency: "unbounded" })
      const askedAtOnce = company.asked - asked
      yield* TestClock.adjust("1 minute")
      const place = yield* browser().signIn()

      const busy = "/integrations/sign-in?problem=busy"
      assert.strictEqual(asked, 60)
      assert.strictEqual(oneByOne.filter((each) => each === busy).length, 40)
      assert.strictEqual(askedAtOnce, 40)
      assert.strictEqual(place, "/integrations")
    }).pipe(Effect.provide(services))
  )

  it.live("leads to no other site", () =>
    Effect.gen(function* () {
      const { browser, company } = yield* aService
      company.person = ada
      const wanted = [
        "https://elsewhere.example/integrations",
        "//elsewhere.example/integrations",
        "/\\elsewhere.example",
        "/integrationsx",
        "/api/v1/admin/accounts",
        "javascript:alert(1)"
      ]

      const places = yield* Effect.forEach(wanted, (to) => browser().signIn(to))

      assert.deepStrictEqual(new Set(places), new Set(["/integrations"]))
    }).pipe(Effect.provide(services))
  )

  it.effect("has ten minutes to come back", () =>
    Effect.gen(function* () {
      const { browser, company } = yield* aService
      company.person = ada
      const page = browser()
      const start = yield* page.visit(`${baseUrl}/integrations/oidc/start`)

      yield* TestClock.adjust("10 minutes")

      const place = yield* page.follow(start.headers.get("location") ?? "")
      assert.strictEqual(place, "/integrations/sign-in?problem=stale")
      assert.isFalse(page.cookies.has(sessionCookie))
    }).pipe(Effect.provide(services))
  )
})
