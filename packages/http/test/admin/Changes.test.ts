import { assert, describe } from "@effect/vitest"
import { ChangeEvent } from "@runhook/contract/accounts/ChangeWire"
import { Draining } from "@runhook/core/engine/Draining"
import { followersMax } from "@runhook/core/accounts/Changes"
import { adminKey } from "@runhook/test-support/engine/Engine"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { TestClock } from "effect/testing"
import { makeBrowser } from "../Browser.ts"
import { reading } from "../EventReader.ts"
import { errorOf, id } from "../Hosts.ts"
import { Host, test } from "../Service.ts"
import { makeExecution, makeTenant } from "../Tenant.ts"

const decodeEvent = Schema.decodeUnknownSync(ChangeEvent, { onExcessProperty: "error" })

const request = Effect.fnUntraced(function* (
  accountId: string,
  { headers = {}, query = "" }: { readonly headers?: Record<string, string>; readonly query?: string } = {}
) {
  const host = yield* Host
  return yield* host(`/api/v1/admin/accounts/${accountId}/changes${query}`, {
    headers: { authorization: `Bearer ${adminKey}`, accept: "text/event-stream", ...headers }
  })
})

/** Follows an account, past what a stream begins with. */
const following = Effect.fnUntraced(function* (accountId: string, options?: Parameters<typeof request>[1]) {
  const answer = yield* request(accountId, options)
  const stream = yield* reading(answer)
  assert.strictEqual(yield* stream.block, "retry: 2000")
  const event = Effect.map(stream.fields, (fields) => decodeEvent(fields))
  const hello = yield* event
  if (hello.event !== "hello") return assert.fail(hello.event)
  return { ...stream, answer, event, hello }
})

describe("the changes of an account, over the wire", () => {
  test("begin with hello, and tell of what changes, with a position behind each", function* () {
    const tenant = yield* makeTenant()
    const { answer, event, hello } = yield* following(tenant.account.id)

    const { execution_id } = yield* makeExecution(tenant)

    assert.strictEqual(answer.headers.get("content-type"), "text/event-stream")
    assert.strictEqual(answer.headers.get("cache-control"), "no-store")
    assert.deepStrictEqual(hello.data, {
      account_id: tenant.account.id,
      is_resumed: false,
      request_id: answer.headers.get("x-request-id")
    })
    const told = yield* event
    assert.deepInclude(told, {
      event: "change",
      data: { kind: "execution", id: execution_id, state: "queued", is_new: true }
    })
    assert.notStrictEqual(told.id, hello.id)
  })

  test.each(["last-event-id", "after"])("go on behind a position, given as %s", function* (way) {
    const tenant = yield* makeTenant()
    const { hello } = yield* following(tenant.account.id)
    const { execution_id } = yield* makeExecution(tenant)
    const position = hello.id ?? ""

    const resumed = yield* following(
      tenant.account.id,
      way === "after" ? { query: `?after=${position}` } : { headers: { [way]: position } }
    )

    assert.deepInclude(resumed.hello, { id: position })
    assert.isTrue(resumed.hello.data.is_resumed)
    assert.deepInclude(yield* resumed.event, {
      data: { kind: "execution", id: execution_id, state: "queued", is_new: true }
    })
  })

  test("are reset for who comes with a position that is none here, whatever it is", function* () {
    const { account } = yield* makeTenant()

    const { event, hello } = yield* following(account.id, { headers: { "last-event-id": "7 of 9 \u00e4" } })

    assert.isFalse(hello.data.is_resumed)
    const told = yield* event
    assert.deepStrictEqual([told.event, told.id], ["reset", hello.id])
  })

  test("are told in one when they are many, and only the last of several events has a position", function* () {
    const tenant = yield* makeTenant()
    const { event } = yield* following(tenant.account.id)
    yield* makeExecution(tenant)
    yield* event
    yield* Effect.replicateEffect(makeExecution(tenant), 3)

    yield* TestClock.adjust("200 millis")
    const few = [yield* event, yield* event, yield* event]
    yield* Effect.replicateEffect(makeExecution(tenant), 101)
    yield* TestClock.adjust("200 millis")
    const many = yield* event

    assert.deepStrictEqual(
      few.map((each) => each.id === undefined),
      [true, true, false]
    )
    assert.deepInclude(many, { event: "many", data: { kinds: ["execution"] } })
  })

  test("say every 15 seconds that the connection is alive", function* () {
    const { account } = yield* makeTenant()
    const { block } = yield* following(account.id)

    yield* TestClock.adjust("15 seconds")
    const first = yield* block
    yield* TestClock.adjust("15 seconds")

    assert.deepStrictEqual([first, yield* block], [":", ":"])
  })

  test("end with the service", function* () {
    const { account } = yield* makeTenant()
    const { block } = yield* following(account.id)

    yield* (yield* Draining).begin

    assert.strictEqual(yield* block, "over")
  })

  test("are for a hundred at once, and for another when one of them has gone", function* () {
    const { account } = yield* makeTenant()
    yield* Effect.replicateEffect(following(account.id), followersMax.account - 1)

    const { error, status } = yield* Effect.gen(function* () {
      yield* following(account.id)
      const refused = yield* request(account.id)
      return { error: yield* errorOf(refused), status: refused.status }
    }).pipe(Effect.scoped)
    const letIn = yield* request(account.id)

    assert.strictEqual(status, 429)
    assert.strictEqual(error.code, "rate_limited")
    assert.deepStrictEqual(error.details, { reason: "too_many_followers", scope: "account", limit: 100 })
    assert.strictEqual(letIn.status, 200)
  })

  test("are not those of an account that there is not, nor JSON", function* () {
    const { account } = yield* makeTenant()

    const unknown = yield* request(id)
    const json = yield* request(account.id, { headers: { accept: "application/json" } })
    const longer = yield* request(account.id, { query: `?after=${"x".repeat(201)}` })

    assert.deepStrictEqual([unknown.status, json.status, longer.status], [404, 406, 400])
    assert.strictEqual((yield* errorOf(unknown)).code, "not_found")
    assert.include((yield* errorOf(json)).message, "text/event-stream")
  })

  test("are shown to viewers of the account, until they sign out, and to nobody else", function* () {
    const [tenant, other] = [yield* makeTenant(), yield* makeTenant()]
    const browser = yield* makeBrowser(tenant.account.id, { role: "viewer" })
    const open = (accountId: string) =>
      browser.send(`/api/v1/admin/accounts/${accountId}/changes`, {
        headers: { accept: "text/event-stream" }
      })
    const refused = yield* open(other.account.id)
    const { block } = yield* reading(yield* open(tenant.account.id))
    yield* Effect.all([block, block])

    yield* browser.send("/api/v1/admin/session", { method: "DELETE" })

    assert.strictEqual(yield* block, "over")
    assert.strictEqual(refused.status, 404)
  })

  test("are for ten streams of a session at once, and leave the others alone", function* () {
    const { account } = yield* makeTenant()
    const browser = yield* makeBrowser(account.id, { role: "viewer" })
    const open = (of: typeof browser) =>
      of.send(`/api/v1/admin/accounts/${account.id}/changes`, { headers: { accept: "text/event-stream" } })
    const streams = yield* Effect.replicateEffect(open(browser), 10)

    const refused = yield* open(browser)
    const other = yield* open(yield* makeBrowser(account.id, { role: "viewer" }))

    assert.deepStrictEqual(new Set(streams.map(({ status }) => status)), new Set([200]))
    assert.deepStrictEqual([refused.status, other.status], [429, 200])
    const { details } = yield* errorOf(refused)
    assert.deepStrictEqual(details, { reason: "too_many_followers", scope: "session", limit: 10 })
  })

  test("end when a session has not been used for so long that it ends", function* () {
    const { account } = yield* makeTenant()
    const browser = yield* makeBrowser(account.id, { role: "viewer" })
    const answer = yield* browser.send(`/api/v1/admin/accounts/${account.id}/changes`, {
      headers: { accept: "text/event-stream" }
    })
    const { block } = yield* reading(answer)
    yield* Effect.all([block, block])

    yield* TestClock.adjust("12 hours")

    const after = yield* Effect.repeat(block, { until: (text) => text !== ":" })
    assert.strictEqual(after, "over")
  })
})
