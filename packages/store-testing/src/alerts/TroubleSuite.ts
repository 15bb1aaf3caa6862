/** What every store finds wrong. */
import { assert } from "@effect/vitest"
import { type AlertKind, namedMax } from "@runhook/core/alerts/Alert"
import { AlertStore } from "@runhook/core/alerts/AlertStore"
import { DeliveryStore } from "@runhook/core/deliveries/DeliveryStore"
import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import { makeAgent } from "../catalog/CatalogFixtures.ts"
import {
  attemptOf,
  claimAll,
  makeDeadDelivery,
  makeDelivery,
  makeSender
} from "../deliveries/DeliveryFixtures.ts"
import { makeExecution, makeTenant, second, type Stores, type Tenant } from "../Fixtures.ts"
import { makeSession } from "../runs/RunFixtures.ts"
import { suiteOf } from "../SuiteOf.ts"
import { addAll, hour, makeSum } from "../usage/UsageFixtures.ts"

/** The troubles of one kind in the account of a tenant. */
const troublesOf = (kind: AlertKind, { accountId }: Pick<Tenant, "accountId">, at: DateTime.Utc) =>
  AlertStore.use((store) => store.troubles(at)).pipe(
    Effect.map(({ troubles }) =>
      troubles.filter((each) => each.accountId === accountId && each.kind === kind)
    )
  )

export const suite = (name: string, layer: Layer.Layer<Stores, unknown>) =>
  suiteOf("AlertStore, of what is wrong", { layer, name }, (it) => {
    it.test(
      "counts callbacks that were given up in this hour and the one before, and names receivers",
      function* () {
        const sender = yield* makeSender()
        const { accountId } = sender
        for (const origin of ["https://b.example", "https://a.example", "https://b.example"]) {
          yield* makeDeadDelivery(sender, { url: `${origin}/hook?token=secret` })
        }
        yield* addAll({
          sums: [2, 3, 4].map((hours) =>
            makeSum(accountId, { dead: 10 ** hours }, { at: second(hours * hour) })
          )
        })

        const found = yield* troublesOf("dead_letters", sender, second(4 * hour + 60))
        const later = yield* troublesOf("dead_letters", sender, second(6 * hour))

        assert.deepStrictEqual(found, [
          {
            accountId,
            kind: "dead_letters",
            subject: "",
            name: "https://b.example (2), https://a.example (1)",
            count: 11_000,
            since: null
          }
        ])
        assert.deepStrictEqual(later, [])
      }
    )

    it.test("finds receivers that are left alone while callbacks wait for them", function* () {
      const deliveries = yield* DeliveryStore
      const sender = yield* makeSender()
      const { accountId } = sender
      const url = "https://down.example/hook"
      yield* makeDelivery(sender, { url })
      const claimed = yield* claimAll(sender, { at: second(1) })
      const settled = (openings: number, at: number) =>
        deliveries.settle(
          claimed.map((delivery) => ({
            accountId,
            attempt: attemptOf(delivery),
            verdict: { _tag: "Retry", nextAttemptAt: second(at + 60) },
            move: { _tag: "Open", openings, until: second(at + 30) }
          })),
          second(at)
        )
      const before = yield* troublesOf("receiver_held", sender, second(1))
      yield* settled(1, 1)

      const found = yield* troublesOf("receiver_held", sender, second(500))

      assert.deepStrictEqual(before, [])
      assert.deepStrictEqual(found, [
        {
          accountId,
          kind: "receiver_held",
          subject: "https://down.example",
          name: "https://down.example",
          count: 1,
          since: null
        }
      ])
    })

    it.test("finds agents that nobody serves although work has been due for five minutes", function* () {
      const tenant = yield* makeTenant()
      const [busy, paused, drained] = [tenant, yield* makeTenant({ state: "paused" }), yield* makeTenant()]
      for (const each of [busy, paused, drained]) yield* makeExecution(each, { createdAt: second(10) })
      yield* makeExecution(busy, { createdAt: second(5), scheduledAt: second(20) })
      yield* makeExecution(busy, { scheduledAt: second(9_000) })
      yield* makeSession(busy, { agentIds: [(yield* makeAgent(busy.accountId)).id], lastSeenAt: second(310) })
      yield* makeSession(drained, { isDraining: true, lastSeenAt: second(310) })
      const at = second(310)

      const found = yield* troublesOf("no_runner", busy, at)

      assert.deepStrictEqual(found, [
        {
          accountId: busy.accountId,
          kind: "no_runner",
          subject: busy.agentId,
          name: "Clerk",
          count: 2,
          since: second(10)
        }
      ])
      assert.deepStrictEqual(yield* troublesOf("no_runner", busy, second(309)), [])
      assert.deepStrictEqual(yield* troublesOf("no_runner", paused, at), [])
      assert.lengthOf(yield* troublesOf("no_runner", drained, at), 1)
      yield* makeSession(busy, { lastSeenAt: second(305) })
      assert.deepStrictEqual(yield* troublesOf("no_runner", busy, at), [])
    })

    it.test("finds tasks of which half fail, by this hour or, while it has few ends, by two", function* () {
      const ends = Effect.fnUntraced(function* (
        now: readonly [completed: number, failed: number],
        before: readonly [completed: number, failed: number]
      ) {
        const tenant = yield* makeTenant()
        const subject = { kind: "task", id: tenant.taskId } as const
        yield* addAll({
          sums: [before, now].map(([completed, failed], hours) =>
            makeSum(tenant.accountId, { completed, failed }, { subject, at: second(hours * hour) })
          )
        })
        return yield* troublesOf("failing_rate", tenant, second(hour + 60))
      })

      const counts = [
        yield* ends([5, 5], [0, 0]),
        yield* ends([6, 5], [0, 90]),
        yield* ends([0, 9], [0, 0]),
        yield* ends([0, 9], [1, 0]),
        yield* ends([0, 9], [10, 0])
      ].map((troubles) => troubles.map(({ count, name: task }) => [task, count]))

      assert.deepStrictEqual(counts, [[["Fetch invoices", 5]], [], [], [["Fetch invoices", 9]], []])
    })

    it.test("names no more of an account than a bound, and the worst of them", function* () {
      const tenant = yield* makeTenant()
      for (let each = 0; each <= namedMax.ofAccount; each++) {
        const { id: agentId } = yield* makeAgent(tenant.accountId)
        yield* makeExecution({ ...tenant, agentId })
      }
      yield* makeExecution(tenant)
      yield* makeExecution(tenant)

      const found = yield* troublesOf("no_runner", tenant, second(hour))

      assert.lengthOf(found, namedMax.ofAccount)
      assert.deepInclude(found, {
        accountId: tenant.accountId,
        kind: "no_runner",
        subject: tenant.agentId,
        name: "Clerk",
        count: 2,
        since: second(0)
      })
    })
  })
