import { assert, describe } from "@effect/vitest"
import { AccountId } from "@runhook/core/shared/Ids"
import { adminKey } from "@runhook/test-support/engine/Engine"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { cookieOf, makeBrowser, makeBrowserOf, makeLinkToken, ownHeaders, presentToken } from "../Browser.ts"
import { errorOf, id, jsonOf } from "../Hosts.ts"
import { adminClient, baseUrl, Host, refusalOf, test } from "../Service.ts"
import { makeTenant } from "../Tenant.ts"

const session = "/api/v1/admin/session"

const unsigned = (path: string, cookie: string, headers: Readonly<Record<string, string>> = {}) =>
  Effect.flatMap(Host, (send) => send(path, { headers: { cookie, ...headers } }))

describe("a link to the Integrations page", () => {
  test("carries its token behind #, and tells when it expires", function* () {
    const { account, admin } = yield* makeTenant()

    const link = yield* admin.consoleLinks.create({ params: { account_id: account.id }, payload: null })

    assert.match(link.url, /^http:\/\/localhost\/integrations\/sign-in#[A-Za-z0-9_-]{43}$/)
    assert.strictEqual(DateTime.formatIso(link.expires_at), "1970-01-01T00:15:00.000Z")
  })

  test("signs in once, with a cookie that scripts cannot read and other sites do not send", function* () {
    const { account } = yield* makeTenant()
    const token = yield* makeLinkToken(account.id, { role: "viewer", name: "Ada" })

    const first = yield* presentToken(token)
    const again = yield* presentToken(token)

    const { accounts, id: session_id, method, name, person } = yield* jsonOf(first)
    const refused = yield* errorOf(again)
    assert.strictEqual(first.status, 200)
    assert.match(
      first.headers.get("set-cookie") ?? "",
      /^runhook=[A-Za-z0-9_-]{43}; Max-Age=604800; Path=\/; HttpOnly; SameSite=Strict$/
    )
    assert.deepStrictEqual(
      { accounts, method, name },
      {
        accounts: [{ id: account.id, name: "Acme", role: "viewer", session_id, person }],
        method: "link",
        name: "Ada"
      }
    )
    assert.strictEqual(again.status, 401)
    assert.strictEqual(again.headers.get("set-cookie"), null)
    assert.deepStrictEqual(
      [refused.code, refused.message, refused.details],
      [
        "unauthorized",
        "The link has expired, or was used before: ask for a new one",
        { reason: "link_unusable" }
      ]
    )
  })

  test("is told of in the audit log with whoever uses it, and not with its token", function* () {
    const { account, admin } = yield* makeTenant()
    const token = yield* makeLinkToken(account.id, { role: "viewer", name: "Ada" })
    const answer = yield* presentToken(token)

    const log = yield* admin.audit.list({
      params: { account_id: account.id },
      query: { kind: "session" }
    })

    const entries = typeof log === "string" ? [] : log.data
    assert.deepStrictEqual(
      entries.map(({ action, actor, request_id }) => [action, actor.kind, actor.name, request_id === null]),
      [
        ["session.begun", "member", "Ada", false],
        ["session.link_made", "operator", "Admin key 1", false]
      ]
    )
    for (const secret of [token, cookieOf(answer).split("=")[1] ?? ""]) {
      assert.notInclude(JSON.stringify(log), secret)
    }
  })

  test("opens nothing any more once it has expired, nor does one that nobody made", function* () {
    const { account } = yield* makeTenant()
    const token = yield* makeLinkToken(account.id, { expires_in_seconds: 60 })
    yield* TestClock.adjust("1 minute")

    const answers = [yield* presentToken(token), yield* presentToken(token.replace(/^./, "_"))]

    assert.deepStrictEqual(
      answers.map(({ status }) => status),
      [401, 401]
    )
  })

  test("of an account that nobody knows is not made", function* () {
    const admin = yield* adminClient
    const params = { account_id: AccountId.make(id) }

    const refused = yield* refusalOf(admin.consoleLinks.create({ params, payload: {} }))

    assert.strictEqual(refused.code, "not_found")
  })

  test("is not used up by a page of another site", function* () {
    const { account } = yield* makeTenant()
    const token = yield* makeLinkToken(account.id)

    const elsewhere = [
      yield* presentToken(token, { origin: "https://elsewhere.example" }),
      yield* presentToken(token, { "sec-fetch-site": "cross-site" })
    ]
    const program = yield* presentToken(token, {})

    assert.deepStrictEqual(
      yield* Effect.forEach(elsewhere, (answer) => Effect.map(errorOf(answer), ({ details }) => details)),
      [{ reason: "cross_site" }, { reason: "cross_site" }]
    )
    assert.strictEqual(program.status, 200)
  })
})

describe("a session", () => {
  test("is shown to whoever has it, and ends when they sign out", function* () {
    const { account } = yield* makeTenant()
    const browser = yield* makeBrowser(account.id, { name: "Ada" })

    const seen = yield* browser.send(session)
    const end = yield* browser.send(session, { method: "DELETE" })
    const after = yield* browser.send(session)

    assert.deepStrictEqual(
      { ...(yield* jsonOf(seen)), request_id: "" },
      { ...browser.session, request_id: "" }
    )
    assert.strictEqual(end.status, 204)
    assert.match(end.headers.get("set-cookie") ?? "", /^runhook=; (?=.*Max-Age=0)(?=.*HttpOnly)/)
    assert.strictEqual(after.status, 401)
    assert.deepStrictEqual((yield* errorOf(after)).details, { reason: "signed_out" })
  })

  test("is none of an operator's", function* () {
    const send = yield* Host

    const answer = yield* send(session, { headers: { authorization: `Bearer ${adminKey}` } })

    assert.strictEqual(answer.status, 401)
  })

  test("ends twelve hours after its last use, and keeping a page up to date is none", function* () {
    const { account } = yield* makeTenant()
    const { cookie } = yield* makeBrowser(account.id)
    const statusAfter = Effect.fnUntraced(function* (
      hours: number,
      headers: Readonly<Record<string, string>> = {}
    ) {
      yield* TestClock.adjust(`${hours} hours`)
      return (yield* unsigned(session, cookie, headers)).status
    })

    const statuses = [
      yield* statusAfter(11),
      yield* statusAfter(11),
      yield* statusAfter(6, { "x-runhook-idle": "1" }),
      yield* statusAfter(7)
    ]

    assert.deepStrictEqual(statuses, [200, 200, 200, 401])
  })

  test("ends after seven days, however much it is used", function* () {
    const { account } = yield* makeTenant()
    const { cookie } = yield* makeBrowser(account.id)
    const status = Effect.map(unsigned(session, cookie), (answer) => answer.status)

    const used = yield* Effect.replicateEffect(Effect.andThen(TestClock.adjust("11 hours"), status), 15)
    yield* TestClock.adjust("4 hours")

    assert.deepStrictEqual(new Set(used), new Set([200]))
    assert.strictEqual(yield* status, 401)
  })

  test("has the accounts of both links when somebody who is signed in uses another", function* () {
    const [one, other] = [yield* makeTenant(), yield* makeTenant()]
    const browser = yield* makeBrowser(one.account.id, { role: "viewer" })
    const token = yield* makeLinkToken(other.account.id, { name: "Ada" })

    const answer = yield* presentToken(token, { ...ownHeaders, cookie: browser.cookie })

    const { accounts, id: session_id, name, person } = yield* jsonOf(answer)
    const before = yield* browser.send(session)
    const listed = yield* unsigned("/api/v1/admin/accounts", cookieOf(answer))
    assert.deepStrictEqual(
      [name, accounts],
      [
        "Ada",
        [
          { id: other.account.id, name: "Acme", role: "admin", session_id, person },
          {
            id: one.account.id,
            name: "Acme",
            role: "viewer",
            session_id: browser.session["id"],
            person: browser.session["person"]
          }
        ]
      ]
    )
    assert.strictEqual(before.status, 401)
    assert.include(JSON.stringify(yield* jsonOf(listed)), one.account.id)
  })

  test("ends everywhere for a person with all whom they let in, and for no namesake", function* () {
    const { account } = yield* makeTenant()
    const desk = yield* makeBrowser(account.id, { name: "Ada" })
    const phone = yield* makeBrowserOf(desk, account.id, { name: "Ada" })
    const colleague = yield* makeBrowserOf(phone, account.id, { name: "Bo", role: "viewer" })
    const namesake = yield* makeBrowser(account.id, { name: "Ada" })

    const answer = yield* desk.send(`${session}?everywhere=true`, { method: "DELETE" })

    const seen = yield* Effect.forEach([desk, phone, colleague, namesake], ({ send }) => send(session))
    assert.strictEqual(answer.status, 204)
    assert.deepStrictEqual(
      seen.map(({ status }) => status),
      [401, 401, 401, 200]
    )
  })

  test("counts its requests for its person, and with those of others for the account", function* () {
    const { account } = yield* makeTenant()
    const [one, other] = [yield* makeBrowser(account.id), yield* makeBrowser(account.id)]
    const left = (answer: Response) => answer.headers.get("ratelimit-remaining")

    const answers = [yield* one.send(session), yield* one.send(session), yield* other.send(session)]

    assert.deepStrictEqual(answers.map(left), ["499", "498", "497"])
  })

  test("is shown the accounts that it is of, page by page, and no others", function* () {
    const [one, other] = [yield* makeTenant(), yield* makeTenant()]
    yield* makeTenant()
    const first = yield* makeBrowser(one.account.id)
    const answer = yield* presentToken(yield* makeLinkToken(other.account.id), {
      ...ownHeaders,
      cookie: first.cookie
    })
    const list = (query: string) =>
      Effect.flatMap(unsigned(`/api/v1/admin/accounts${query}`, cookieOf(answer)), jsonOf)

    const page = yield* list("?limit=1")
    const rest = yield* list(`?limit=1&cursor=${String(page["next_cursor"])}`)

    assert.match(JSON.stringify(page["data"]), new RegExp(`^\\[{"id":"${other.account.id}"[^[]*\\]$`))
    assert.match(JSON.stringify(rest["data"]), new RegExp(`^\\[{"id":"${one.account.id}"[^[]*\\]$`))
    assert.strictEqual(rest["next_cursor"], null)
  })
})

test("ways to sign in are told to anybody", function* () {
  const send = yield* Host

  const answer = yield* send("/api/v1/admin/sign-in")

  assert.deepStrictEqual([answer.status, (yield* jsonOf(answer))["oidc"]], [200, false])
  assert.strictEqual(new URL(baseUrl).protocol, "http:")
})
