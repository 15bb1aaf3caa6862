/** Who is let in to an account, who sees it, and who puts them out. */
import { assert, describe } from "@effect/vitest"
import { type AccountId, PersonId } from "@runhook/core/shared/Ids"
import * as Effect from "effect/Effect"
import { TestClock } from "effect/testing"
import {
  cookieOf,
  makeBrowser,
  makeBrowserOf,
  makeLinkToken,
  makeLinkTokenOf,
  ownHeaders,
  presentToken
} from "../Browser.ts"
import { errorOf, jsonOf } from "../Hosts.ts"
import { Host, test } from "../Service.ts"
import { makeTenant } from "../Tenant.ts"

const session = "/api/v1/admin/session"
const remove = { method: "DELETE" }

type Browser = Effect.Success<ReturnType<typeof makeBrowser>>

const inAccount = (accountId: AccountId, path: string) => `/api/v1/admin/accounts/${accountId}${path}`

/** Which of the browsers are signed in. */
const statusesOf = (browsers: ReadonlyArray<Browser>) =>
  Effect.forEach(browsers, ({ send }) => Effect.map(send(session), ({ status }) => status))

const idOf = ({ session: { id } }: Browser) => String(id)
const personOf = ({ session: { person } }: Browser) => String(person)

describe("the people of an account", () => {
  test("are listed for its admins and operators with who they are, since when and from where", function* () {
    const { account, admin, params } = yield* makeTenant()
    const ada = yield* makeBrowser(account.id, { name: "Ada" })
    const bo = yield* makeBrowserOf(ada, account.id, { name: "Bo", role: "viewer" })
    yield* makeBrowser((yield* makeTenant()).account.id)
    yield* TestClock.adjust("2 minutes")
    yield* bo.send(session)

    const seen = yield* ada.send(inAccount(account.id, "/console-sessions"))
    const { data } = yield* admin.consoleSessions.list({ params, query: {} })

    const begun = { by: "link", begun_at: "1970-01-01T00:00:00.000Z", address: null }
    assert.deepStrictEqual((yield* jsonOf(seen))["data"], [
      {
        ...begun,
        id: idOf(bo),
        person: personOf(ada),
        name: "Bo",
        role: "viewer",
        last_seen_at: "1970-01-01T00:02:00.000Z",
        expires_at: "1970-01-01T12:02:00.000Z"
      },
      {
        ...begun,
        id: idOf(ada),
        person: personOf(ada),
        name: "Ada",
        role: "admin",
        // By asking for this.
        last_seen_at: "1970-01-01T00:02:00.000Z",
        expires_at: "1970-01-01T12:02:00.000Z"
      }
    ])
    assert.lengthOf(data, 2)
  })

  test("are put out with all whom they let in, however far, and no link of theirs works any more", function* () {
    const { account, admin, params } = yield* makeTenant()
    const ada = yield* makeBrowser(account.id)
    const phone = yield* makeBrowserOf(ada, account.id)
    const tablet = yield* makeBrowserOf(phone, account.id)
    const beside = yield* makeBrowser(account.id)
    const tokens = yield* Effect.forEach([ada, phone, tablet], (each) => makeLinkTokenOf(each, account.id))

    yield* admin.consoleSessions.endPerson({ params, query: { person: PersonId.make(personOf(ada)) } })

    const answers = yield* Effect.forEach(tokens, (token) => presentToken(token))
    assert.deepStrictEqual(yield* statusesOf([ada, phone, tablet, beside]), [401, 401, 401, 200])
    assert.deepStrictEqual(
      answers.map(({ status }) => status),
      [401, 401, 401]
    )
  })

  test("are put out of one browser by another admin, and may put themselves out", function* () {
    const { account } = yield* makeTenant()
    const [ada, bo] = [yield* makeBrowser(account.id), yield* makeBrowser(account.id)]
    const guest = yield* makeBrowserOf(bo, account.id)
    const end = (browser: Browser) =>
      ada.send(inAccount(account.id, `/console-sessions/${idOf(browser)}`), remove)

    const other = yield* end(bo)
    const again = yield* end(bo)
    const between = yield* statusesOf([ada, bo, guest])
    const own = yield* end(ada)

    assert.deepStrictEqual([other.status, again.status, own.status], [204, 204, 204])
    assert.deepStrictEqual(between, [200, 401, 401])
    assert.deepStrictEqual(yield* statusesOf([ada]), [401])
  })

  test("of another account are neither seen nor put out, also in a browser that is in both", function* () {
    const [own, other] = [yield* makeTenant(), yield* makeTenant()]
    const eve = yield* makeBrowser(own.account.id)
    const ada = yield* makeBrowser(other.account.id, { name: "Ada" })
    const { cookie } = ada
    const token = yield* makeLinkTokenOf(eve, own.account.id, { role: "viewer" })
    const both = cookieOf(yield* presentToken(token, { ...ownHeaders, cookie }))
    const send = yield* Host
    const accountsOf = Effect.map(
      Effect.flatMap(send(session, { headers: { cookie: both } }), jsonOf),
      ({ accounts }) => JSON.stringify(accounts)
    )
    const before = yield* accountsOf

    const answers = [
      yield* eve.send(inAccount(own.account.id, `/console-sessions/${idOf(ada)}`), remove),
      yield* eve.send(inAccount(other.account.id, `/console-sessions/${idOf(ada)}`), remove),
      yield* eve.send(inAccount(own.account.id, `/console-sessions?person=${personOf(ada)}`), remove)
    ]
    const listed = yield* eve.send(inAccount(own.account.id, "/console-sessions"))
    yield* eve.send(inAccount(own.account.id, `/console-sessions?person=${personOf(eve)}`), remove)

    assert.deepStrictEqual(
      answers.map(({ status }) => status),
      [404, 404, 204]
    )
    assert.notInclude(JSON.stringify(yield* jsonOf(listed)), personOf(ada))
    assert.include(before, own.account.id)
    const after = yield* accountsOf
    assert.notInclude(after, own.account.id)
    assert.include(after, other.account.id)
  })

  test("are put out as a whole only by name of a person", function* () {
    const { account } = yield* makeTenant()
    const ada = yield* makeBrowser(account.id)

    const answer = yield* ada.send(inAccount(account.id, "/console-sessions"), remove)

    assert.strictEqual(answer.status, 400)
    assert.strictEqual((yield* errorOf(answer)).code, "invalid_request")
    assert.deepStrictEqual(yield* statusesOf([ada]), [200])
  })

  test("are called in the log of an account as it calls them, whatever their links to others say", function* () {
    const { account, admin, params } = yield* makeTenant()
    const ada = yield* makeBrowser(account.id, { name: "Ada" })
    const vic = yield* makeBrowser(account.id, { name: "Vic" })
    const { account: own } = yield* makeTenant()
    const token = yield* makeLinkToken(own.id, { name: "Ada" })
    const cookie = cookieOf(yield* presentToken(token, { ...ownHeaders, cookie: vic.cookie }))
    const send = yield* Host

    yield* send(inAccount(account.id, "/agents"), {
      method: "POST",
      headers: { ...ownHeaders, cookie, "content-type": "application/json" },
      body: JSON.stringify({ name: "Press 2" })
    })
    yield* send(`${session}?everywhere=true`, { ...remove, headers: { ...ownHeaders, cookie } })

    const log = yield* admin.audit.list({ params, query: { actor: personOf(vic) } })
    const entries = typeof log === "string" ? [] : log.data
    assert.deepStrictEqual(
      entries.map(({ action, actor }) => [action, actor.name, actor.person]),
      [
        ["session.ended", "Vic", personOf(vic)],
        ["agent.created", "Vic", personOf(vic)],
        ["session.begun", "Vic", personOf(vic)]
      ]
    )
    assert.deepStrictEqual(yield* statusesOf([ada]), [200])
  })
})

describe("the links of an account", () => {
  test("are listed with who made them and what became of them, and never with their tokens", function* () {
    const { account, admin, params } = yield* makeTenant()
    const ada = yield* makeBrowser(account.id, { name: "Ada" })
    const open = yield* makeLinkTokenOf(ada, account.id, { name: "Bo", role: "viewer" })
    yield* makeLinkToken(account.id, { expires_in_seconds: 60 })
    const withdrawn = yield* admin.consoleLinks.create({ params, payload: null })
    yield* admin.consoleLinks.withdraw({ params: { ...params, link_id: withdrawn.id } })
    yield* TestClock.adjust("1 minute")

    const answer = yield* ada.send(inAccount(account.id, "/console-links"))

    const body = yield* jsonOf(answer)
    const { data } = yield* admin.consoleLinks.list({ params, query: {} })
    const operator = { kind: "operator", id: null, name: "Admin key 1" } as const
    assert.deepStrictEqual(
      data.map(({ maker, name, person, role, state }) => [
        state,
        name,
        role,
        maker,
        person === personOf(ada)
      ]),
      [
        ["withdrawn", "Somebody with a link", "admin", operator, false],
        ["expired", "Somebody with a link", "admin", operator, false],
        ["open", "Bo", "viewer", { kind: "member", id: idOf(ada), name: "Ada" }, true],
        ["used", "Ada", "admin", operator, true]
      ]
    )
    assert.notInclude(JSON.stringify(body), open)
    assert.include(JSON.stringify(body), withdrawn.id)
  })

  test("are no more than a hundred of one member, who is told so", function* () {
    const { account } = yield* makeTenant()
    const ada = yield* makeBrowser(account.id)
    yield* Effect.replicateEffect(makeLinkTokenOf(ada, account.id), 99)

    const answer = yield* ada.send(inAccount(account.id, "/console-links"), { method: "POST", body: "{}" })

    const { code, details } = yield* errorOf(answer)
    assert.deepStrictEqual(
      [answer.status, code, details],
      [429, "concurrency_limit_reached", { scope: "person", limit: 100 }]
    )
  })

  test("name nobody on more than one line, nor by spaces or with some around the name", function* () {
    const { account } = yield* makeTenant()
    const ada = yield* makeBrowser(account.id)

    const names = ["Ada\nBo", "Ada\u2028", "\u202eadA", " ", "\u00a0", "Ada ", " Ada"]
    const answers = yield* Effect.forEach(names, (name) =>
      ada.send(inAccount(account.id, "/console-links"), { method: "POST", body: JSON.stringify({ name }) })
    )

    const errors = yield* Effect.forEach(answers, errorOf)
    const message = "Expected one line without control characters, and without spaces around it"
    assert.deepStrictEqual(
      errors.map(({ details }) => details),
      names.map(() => ({ issues: [{ path: ["body", "name"], message }] }))
    )
  })

  test("sign nobody in once they are withdrawn, and those of other accounts are not there", function* () {
    const [own, other] = [yield* makeTenant(), yield* makeTenant()]
    const { url, ...link } = yield* own.admin.consoleLinks.create({ params: own.params, payload: null })
    const eve = yield* makeBrowser(other.account.id)
    const withdraw = (accountId: AccountId) =>
      eve.send(inAccount(accountId, `/console-links/${link.id}`), remove)
    const refused = [yield* withdraw(other.account.id), yield* withdraw(own.account.id)]

    yield* own.admin.consoleLinks.withdraw({ params: { ...own.params, link_id: link.id } })

    const answer = yield* presentToken(new URL(url).hash.slice(1))
    assert.deepStrictEqual(
      [...refused, answer].map(({ status }) => status),
      [404, 404, 401]
    )
  })
})
