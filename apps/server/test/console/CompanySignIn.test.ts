/** Signing in at a real OpenID Connect provider, from the first redirect to the session. */
import { assert, describe, it } from "@effect/vitest"
import { AuditStore } from "@runhook/core/audit/AuditStore"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { TestClock } from "effect/testing"
import { type Company } from "./CompanyProvider.ts"
import {
  ada,
  baseUrl,
  callback,
  madeUp,
  makeService,
  services,
  sessionCookie,
  sessionOf
} from "./CompanyService.ts"

describe("a company account", () => {
  it.live("signs in to the accounts that the rules give, and leads back to where one was", () =>
    Effect.gen(function* () {
      const { accountId, browser, company } = yield* makeService()
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

  it.live("opens nothing by an unverified address, nor an account that does not exist", () =>
    Effect.gen(function* () {
      const { accountId, browser, company } = yield* makeService()
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
      const { browser, company } = yield* makeService()
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
      const { browser, company } = yield* makeService()
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
      const { browser, company, provider } = yield* makeService()
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
      const { browser, company } = yield* makeService()
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
      const { browser, company } = yield* makeService()
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
      const { browser, company } = yield* makeService()
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
      const { browser, company } = yield* makeService()
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
