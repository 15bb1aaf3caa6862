/** What every UsageStore says of what goes on now. Deliveries are claimed from all accounts, so no other suite may do so meanwhile. */
import { assert } from "@effect/vitest"
import { untroubled } from "@runhook/core/deliveries/claim/Receiver"
import { DeliveryStore } from "@runhook/core/deliveries/DeliveryStore"
import { ExecutionStore } from "@runhook/core/executions/ExecutionStore"
import { RunStore } from "@runhook/core/runs/RunStore"
import { UsageStore } from "@runhook/core/usage/UsageStore"
import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import { makeApiKey } from "../catalog/CatalogFixtures.ts"
import {
  attemptOf,
  claimAll,
  makeDeadDelivery,
  makeDelivery,
  makeSender
} from "../deliveries/DeliveryFixtures.ts"
import { callbackUrl, makeExecution, makeTenant, second, type Stores } from "../Fixtures.ts"
import { lease, makeAskingRun, makeSession, makeStartedRun } from "../runs/RunFixtures.ts"
import { addAll, hour } from "./UsageFixtures.ts"
import { suiteOf } from "../SuiteOf.ts"

const nothing = {
  running: 0,
  slots: 0,
  queued: 0,
  needsInput: 0,
  oldestQueuedAt: null,
  runners: 0,
  draining: 0,
  waitingDeliveries: 0,
  deadLetters: 0
}

export const suite = (name: string, layer: Layer.Layer<Stores, unknown>) =>
  suiteOf("UsageStore, of what goes on", { layer, name }, (it) => {
    it.test("says what runs, waits and asks, and who is there", function* () {
      const store = yield* UsageStore
      const tenant = yield* makeTenant({ capacity: 7 })
      yield* makeStartedRun(tenant)
      yield* makeAskingRun(tenant)
      yield* makeSession(tenant, { lastSeenAt: second(-600) })
      yield* makeExecution(tenant, { scheduledAt: second(hour) })
      yield* makeExecution(tenant, { createdAt: second(4) })
      yield* makeExecution(tenant, { createdAt: second(3), callbackUrl })
      const { accountId } = tenant

      const found = yield* store.standing({ accountId, at: second(10) })

      assert.deepStrictEqual(found, {
        ...nothing,
        running: 1,
        slots: 7,
        queued: 3,
        needsInput: 1,
        oldestQueuedAt: second(3),
        runners: 2,
        waitingDeliveries: 1
      })
    })

    it.test("counts runners that drain, and forgets none that was there within a minute", function* () {
      const [store, runs] = [yield* UsageStore, yield* RunStore]
      const tenant = yield* makeTenant()
      const session = yield* makeSession(tenant)
      yield* makeSession(tenant)
      yield* runs.beat({ session, isDraining: true, inFlight: [], lease, at: second(30) })
      const { accountId } = tenant

      const soon = yield* store.standing({ accountId, at: second(40) })
      const later = yield* store.standing({ accountId, at: second(70) })

      assert.deepStrictEqual([soon.runners, soon.draining], [2, 1])
      assert.deepStrictEqual([later.runners, later.draining], [1, 1])
    })

    it.test("says nothing of other accounts", function* () {
      const store = yield* UsageStore
      const [tenant, stranger] = [yield* makeTenant(), yield* makeSender()]
      yield* makeStartedRun(tenant, { callbackUrl })
      yield* makeDeadDelivery(tenant)
      const { accountId } = stranger

      const found = yield* store.standing({ accountId, at: second(10) })
      const receivers = yield* store.receivers({ accountId, since: second(0), limit: 10 })
      const load = yield* store.keyLoad({ accountId, id: tenant.apiKeyId })

      assert.deepStrictEqual(found, nothing)
      assert.deepStrictEqual(receivers, [])
      assert.deepStrictEqual(load, { waitingDeliveries: 0, liveExecutions: 0 })
    })

    it.test("says what goes on in all accounts, and where work waits longest", function* () {
      const [store, executions] = [yield* UsageStore, yield* ExecutionStore]
      const [tenant, other] = [yield* makeTenant(), yield* makeTenant()]
      const at = second(hour)
      const look = store.serviceStanding({ at, agents: 1_000 })
      const before = yield* look
      yield* makeExecution(tenant, { createdAt: second(40), callbackUrl })
      yield* makeExecution(tenant, { createdAt: second(30), scheduledAt: second(50) })
      yield* makeExecution(tenant, { scheduledAt: second(hour + 1) })
      const oldest = yield* makeExecution(other, { createdAt: second(-hour) })
      yield* makeStartedRun(yield* makeTenant())
      yield* makeSession(tenant, { lastSeenAt: second(hour - 5) })
      yield* makeDeadDelivery(tenant)

      const found = yield* look
      const [first] = (yield* store.serviceStanding({ at, agents: 1 })).waiting
      yield* executions.stop({ ...oldest, to: "aborted", reason: null, at })
      const last = yield* look

      const of = ({ agentId }: typeof tenant, { waiting }: typeof found) =>
        waiting.find((each) => each.agentId === agentId)
      assert.deepStrictEqual(of(tenant, found), {
        agentId: tenant.agentId,
        executions: 2,
        oldestDueAt: second(40)
      })
      assert.deepStrictEqual(first, { agentId: other.agentId, executions: 1, oldestDueAt: second(-hour) })
      assert.isUndefined(of(other, last))
      assert.deepStrictEqual(
        [found.runners, found.waitingDeliveries, found.deadLetters],
        [before.runners + 1, before.waitingDeliveries + 1, before.deadLetters + 1]
      )
    })

    it.test("says what hangs on a key", function* () {
      const [store, executions] = [yield* UsageStore, yield* ExecutionStore]
      const tenant = yield* makeTenant()
      const other = { ...tenant, apiKeyId: (yield* makeApiKey(tenant.accountId)).id }
      const [stopped] = yield* Effect.all([
        makeExecution(tenant, { callbackUrl }),
        makeExecution(tenant, { callbackUrl }),
        makeExecution(other, { callbackUrl })
      ])
      yield* executions.stop({ ...stopped, to: "aborted", reason: null, at: second(5) })

      const load = yield* store.keyLoad({ accountId: tenant.accountId, id: tenant.apiKeyId })

      assert.deepStrictEqual(load, { waitingDeliveries: 3, liveExecutions: 1 })
    })

    it.test(
      "knows receivers by what was sent to them, what waits for them and what is dead there",
      function* () {
        const store = yield* UsageStore
        const sender = yield* makeSender()
        const { accountId } = sender
        const [used, untried, gone] = [
          "https://used.example",
          "https://untried.example:8443",
          "https://gone.example"
        ]
        yield* makeDeadDelivery(sender, { url: `${gone}/` })
        yield* makeDeadDelivery(sender, { url: `${used}/hook?a=1` })
        yield* Effect.all([1, 2].map(() => makeDelivery(sender, { url: `${untried}/hook` })))
        const lastFailure = { at: second(2 * hour + 5), cause: "server_error", status: 503 } as const
        yield* addAll({
          receivers: [0, 1, 2].map((hours) => ({
            accountId,
            origin: used,
            at: second(hours * hour),
            delivered: 10 ** hours,
            failed: hours
          })),
          lastAttempts: [{ accountId, origin: used, lastSuccessAt: second(hour + 9), lastFailure }]
        })
        yield* addAll({
          lastAttempts: [
            {
              accountId,
              origin: used,
              lastSuccessAt: second(hour + 10),
              lastFailure: { at: second(7), cause: "dns", status: null }
            }
          ]
        })

        const found = yield* store.receivers({ accountId, since: second(hour), limit: 10 })

        assert.deepStrictEqual(
          found.toSorted((one, other) => one.origin.localeCompare(other.origin)),
          [
            {
              origin: gone,
              state: untroubled,
              lastSuccessAt: null,
              lastFailure: null,
              delivered: 0,
              failed: 0,
              waiting: 0,
              dead: 1
            },
            {
              origin: untried,
              state: untroubled,
              lastSuccessAt: null,
              lastFailure: null,
              delivered: 0,
              failed: 0,
              waiting: 2,
              dead: 0
            },
            {
              origin: used,
              state: untroubled,
              lastSuccessAt: second(hour + 10),
              lastFailure,
              delivered: 110,
              failed: 3,
              waiting: 0,
              dead: 1
            }
          ]
        )
      }
    )

    it.test("knows the state of a receiver's breaker", function* () {
      const [store, deliveries] = [yield* UsageStore, yield* DeliveryStore]
      const sender = yield* makeSender()
      const trouble = (at: DateTime.Utc) =>
        Effect.map(store.serviceStanding({ at, agents: 1 }), ({ failingDeliveries, heldReceivers }) => ({
          failing: failingDeliveries,
          receivers: heldReceivers
        }))
      const before = yield* trouble(second(29))
      yield* makeDelivery(sender, { url: "https://down.example/hook" })
      const claimed = yield* claimAll(sender, { at: second(1) })
      yield* deliveries.settle(
        claimed.map((delivery) => ({
          accountId: sender.accountId,
          attempt: attemptOf(delivery),
          verdict: { _tag: "Retry", nextAttemptAt: second(60) },
          move: { _tag: "Open", openings: 1, until: second(30) }
        })),
        second(1)
      )

      const [receiver] = yield* store.receivers({
        accountId: sender.accountId,
        since: second(0),
        limit: 10
      })

      const held = yield* trouble(second(29))
      const freed = yield* trouble(second(30))
      assert.strictEqual(held.failing, before.failing + 1)
      assert.strictEqual(held.receivers, freed.receivers + 1)
      assert.deepStrictEqual(receiver?.state, { openings: 1, heldUntil: second(30), closedAt: null })
      assert.strictEqual(receiver?.waiting, 1)
    })

    it.test("shows those first that were used most recently when there are too many", function* () {
      const store = yield* UsageStore
      const { accountId } = yield* makeSender()
      yield* addAll({
        lastAttempts: [3, 1, 2].map((hours) => ({
          accountId,
          origin: `https://hour-${hours}.example`,
          lastSuccessAt: second(hours * hour),
          lastFailure: null
        }))
      })

      const found = yield* store.receivers({ accountId, since: second(0), limit: 2 })

      assert.sameMembers(
        found.map(({ origin }) => origin),
        ["https://hour-3.example", "https://hour-2.example"]
      )
    })
  })
