/** How every AuditStore lists what it tells. */
import { assert } from "@effect/vitest"
import { auditBy } from "@runhook/core/audit/AuditEntry"
import { agentCreated, agentUpdated } from "@runhook/core/audit/CatalogEvents"
import { accountCreated, keyCreated } from "@runhook/core/audit/KeyEvents"
import { instantOf } from "@runhook/core/shared/Ids"
import { AgentStore } from "@runhook/core/catalog/AgentStore"
import { type AuditFilter, AuditStore } from "@runhook/core/audit/AuditStore"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import { makeAccount, makeAgent, makeApiKey } from "../catalog/CatalogFixtures.ts"
import type { Stores } from "../Fixtures.ts"
import { fewRuns, paging, walk } from "../Paging.ts"
import { anyEntry, entriesOf, jana, record } from "./AuditFixtures.ts"
import { suiteOf } from "../SuiteOf.ts"

/** An account of which three entries tell, a second apart: made by the service, a key by Jana, an agent by an operator. */
const makeHistory = Effect.fnUntraced(function* () {
  const account = yield* makeAccount({ name: "Northquay" })
  const { id: accountId } = account
  yield* record(accountCreated(account))
  yield* TestClock.adjust("1 second")
  const key = yield* makeApiKey(accountId, { name: "Büro" })
  yield* record(keyCreated(key), jana)
  yield* TestClock.adjust("1 second")
  const operator = {
    ...jana,
    kind: "operator" as const,
    id: null,
    name: "Admin key 1",
    requestId: "req_other"
  }
  const agent = yield* makeAgent(accountId, { name: "Clerk" })
  yield* record(agentCreated(agent), operator)
  const actions = (filter: Partial<AuditFilter>) =>
    Effect.map(entriesOf(accountId, filter), (entries) => entries.map(({ action }) => action))
  return { accountId, actions, agent, key }
})

export const suite = (name: string, layer: Layer.Layer<Stores, unknown>) =>
  suiteOf("Lists of the audit log", { layer, name }, (it) => {
    it.effect.prop(
      "list entries newest first, each once, whatever the page size",
      paging,
      ({ count, limit }) =>
        Effect.gen(function* () {
          const store = yield* AuditStore
          const { id: accountId } = yield* makeAccount()
          const agents = yield* Effect.all(Array.from({ length: count }, () => makeAgent(accountId)))
          yield* Effect.forEach(agents, (agent) => record(agentCreated(agent)))

          const listed = yield* walk({
            list: (page) => store.list(accountId, anyEntry, page),
            idOf: ({ id }) => id,
            limit
          })

          assert.deepStrictEqual(
            listed.map(({ subject }) => subject.id),
            agents.map(({ id }) => id).toReversed()
          )
        }),
      fewRuns
    )

    it.test("find entries by kind, by who, by subject and by words of them", function* () {
      const { actions, agent, key } = yield* makeHistory()

      assert.deepStrictEqual(yield* actions({ kind: "key" }), ["key.created"])
      assert.deepStrictEqual(yield* actions({ subjectId: agent.id }), ["agent.created"])
      assert.deepStrictEqual(yield* actions({ actor: "operator" }), ["agent.created"])
      assert.deepStrictEqual(yield* actions({ actor: "Jana" }), ["key.created"])
      assert.deepStrictEqual(yield* actions({ actor: jana.id }), ["key.created"])
      assert.deepStrictEqual(yield* actions({ actor: "Jan" }), [])
      assert.deepStrictEqual(yield* actions({ text: "BÜR" }), ["key.created"])
      assert.deepStrictEqual(yield* actions({ text: "jan" }), ["key.created"])
      assert.deepStrictEqual(yield* actions({ text: "ACCOUNT." }), ["account.created"])
      assert.deepStrictEqual(yield* actions({ text: key.id }), ["key.created"])
      assert.deepStrictEqual(yield* actions({ text: key.id.slice(1) }), [])
      assert.deepStrictEqual(yield* actions({ text: "req_other" }), ["agent.created"])
      assert.deepStrictEqual(yield* actions({ text: "%" }), [])
      assert.deepStrictEqual(yield* actions({ kind: "key", actor: "operator" }), [])
    })

    it.test("find entries by when they were made, both ends included", function* () {
      const { accountId, actions } = yield* makeHistory()
      const [, second] = yield* entriesOf(accountId)
      const at = instantOf(second?.id ?? "")
      const [before, after] = [
        DateTime.subtract(at, { milliseconds: 1 }),
        DateTime.add(at, { milliseconds: 1 })
      ]

      assert.deepStrictEqual(yield* actions({ from: at, to: at }), ["key.created"])
      assert.deepStrictEqual(yield* actions({ from: after }), ["agent.created"])
      assert.deepStrictEqual(yield* actions({ to: before }), ["account.created"])
    })

    it.test("find nothing made before 1970, and all entries made since any time before", function* () {
      const { actions } = yield* makeHistory()
      const all = yield* actions({})

      for (const time of ["0001-01-01T00:00:00.000Z", "1969-12-31T23:59:59.999Z"]) {
        const at = DateTime.makeUnsafe(time)
        assert.deepStrictEqual(yield* actions({ from: at }), all)
        assert.deepStrictEqual(yield* actions({ to: at }), [])
      }
      assert.deepStrictEqual(yield* actions({ to: DateTime.makeUnsafe("9999-12-31T23:59:59.999Z") }), all)
    })

    it.test("hide the entries of an account from every other", function* () {
      const { agent, key } = yield* makeHistory()
      const { id: other } = yield* makeAccount()

      assert.deepStrictEqual(yield* entriesOf(other, { subjectId: key.id }), [])
      assert.deepStrictEqual(yield* entriesOf(other, { text: agent.id }), [])
    })

    it.test("keep the name that a thing had then", function* () {
      const { accountId, agent } = yield* makeHistory()
      const agents = yield* AgentStore
      const audit = auditBy(jana, agentUpdated)
      const change = { name: "Scribe" }
      yield* agents.update({ accountId, id: agent.id, at: agent.createdAt, change, audit })

      const entries = yield* entriesOf(accountId, { subjectId: agent.id })

      assert.deepStrictEqual(
        entries.map(({ subject }) => subject.name),
        ["Scribe", "Clerk"]
      )
    })

    it.test("hold what is told without a change", function* () {
      const { id: accountId } = yield* makeAccount()
      const event = {
        accountId,
        action: "delivery.replayed",
        subject: { kind: "delivery", id: accountId, name: null },
        before: null,
        after: { expires_in_seconds: 300 }
      } as const

      yield* record(event, jana)

      const [entry] = yield* entriesOf(accountId)
      assert.deepInclude(entry, { ...event, actor: jana })
    })
  })
