/** What is handed over when answers are lost, values are refused, and many move the same executions at once. */
import { assert, describe, it } from "@effect/vitest"
import { DeliveryStore } from "@runhook/core/deliveries/DeliveryStore"
import { ExecutionStore } from "@runhook/core/executions/ExecutionStore"
import { RunStore } from "@runhook/core/runs/RunStore"
import { settleAll } from "@runhook/store-testing/deliveries/DeliveryTurns"
import { makeInlet } from "@runhook/store-testing/deliveries/queue/InletFixtures"
import { callbackUrl, makeExecution, makeTenant, second, type Tenant } from "@runhook/store-testing/Fixtures"
import {
  claimUpTo,
  lease,
  makeClaimedRun,
  makeSession,
  writeTo
} from "@runhook/store-testing/runs/RunFixtures"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Schedule from "effect/Schedule"
import { SqlClient } from "effect/sql/SqlClient"
import { makeLine } from "../../connections/Line.ts"
import { brokenRules } from "../../Invariants.ts"
import { makeProcess } from "../../Process.ts"
import { layerMigrated } from "../../TestDatabase.ts"

const unbounded = { concurrency: "unbounded" } as const

/** How the deliveries of a tenant stand. */
const deliveriesOf = ({ accountId }: Tenant) =>
  SqlClient.use(
    (sql) => sql<{ readonly attempts: number; readonly claimed: boolean }>`
      SELECT d.attempts, q.dispatcher_id IS NOT NULL AS claimed
      FROM webhook_deliveries d
      JOIN webhook_queue q ON q.bucket = d.bucket AND q.delivery_id = d.id
      WHERE d.account_id = ${accountId}::uuid
      ORDER BY d.revision`
  )

/** Answers are lost of what is done from now on, until it is stored. */
const losingAnswers = Effect.fnUntraced(function* <A, E, R>(
  tenant: Tenant,
  events: number,
  work: Effect.Effect<A, E, R>
) {
  const line = yield* makeLine()
  let loses = false
  const process = yield* makeProcess({
    url: line.url,
    beforeStatement: (text) =>
      loses && /store_moves\(|create_executions\(/.test(text) ? Effect.sync(line.loseAnswers) : Effect.void
  })
  const inlet = yield* process.does(makeInlet(tenant))
  // What is known of a tenant is read before, by connections that are not lost.
  yield* process.does(makeExecution(tenant))
  loses = true
  const working = yield* Effect.forkChild(process.does(work))
  yield* Effect.repeat(deliveriesOf(tenant), {
    schedule: Schedule.spaced("10 millis"),
    times: 1_000,
    until: ({ length }) => length === events
  })
  loses = false
  line.hangUp()
  yield* Fiber.join(working)
  return inlet
})

describe("Handing over", () => {
  it.layer(layerMigrated, { excludeTestServices: true })((it) => {
    it.effect("doubts what a creation has stored whose answer was lost, which comes back as it was", () =>
      Effect.gen(function* () {
        const watching = yield* makeProcess()
        const tenant = yield* watching.does(makeTenant())

        const inlet = yield* losingAnswers(tenant, 1, makeExecution(tenant, { callbackUrl }))
        const before = yield* deliveriesOf(tenant)
        const { dispatcher } = inlet
        const given = yield* watching.does(
          DeliveryStore.use((store) =>
            store.giveBack({ dispatcher, which: { _tag: "AllBut", ids: [] }, at: second(1) })
          )
        )

        assert.deepStrictEqual(inlet.ends(), ["doubted"])
        assert.deepStrictEqual(before, [{ attempts: 1, claimed: true }])
        assert.deepStrictEqual([given, yield* deliveriesOf(tenant)], [1, [{ attempts: 0, claimed: false }]])
        assert.deepStrictEqual(yield* brokenRules, [])
      })
    )

    it.effect("doubts what a move has stored whose answer was lost", () =>
      Effect.gen(function* () {
        const watching = yield* makeProcess()
        const tenant = yield* watching.does(makeTenant())
        const { run } = yield* watching.does(
          Effect.gen(function* () {
            const { begun } = yield* makeInlet(tenant)
            const claimed = yield* makeClaimedRun(tenant, { callbackUrl })
            yield* settleAll(tenant, begun, { at: second(1) })
            return claimed
          })
        )

        const inlet = yield* losingAnswers(
          tenant,
          1,
          RunStore.use((runs) => runs.start({ ...writeTo(run, second(2)), lease }))
        )

        assert.deepStrictEqual(inlet.ends(), ["doubted"])
        assert.deepStrictEqual(yield* deliveriesOf(tenant), [{ attempts: 1, claimed: true }])
      })
    )

    it.effect("forgets no place of those whose values the database refuses, nor of their company", () =>
      Effect.gen(function* () {
        const process = yield* makeProcess()
        const { begun, ends } = yield* process.does(
          Effect.gen(function* () {
            const tenant = yield* makeTenant()
            const inlet = yield* makeInlet(tenant)
            yield* Effect.forEach(
              Array.from({ length: 30 }, (_, place) => place),
              (place) =>
                Effect.exit(
                  makeExecution(tenant, { callbackUrl, reference: place === 17 ? "a \u0000" : "well" })
                ),
              unbounded
            )
            return inlet
          })
        )

        assert.lengthOf(begun, 29)
        assert.deepStrictEqual(ends().toSorted(), [...Array.from({ length: 29 }, () => "begun"), "doubted"])
      })
    )

    it.effect("never hands over two events of an execution at once, whoever moves it", () =>
      Effect.gen(function* () {
        const processes = yield* Effect.all([makeProcess(), makeProcess()])
        const tenant = yield* processes[0].does(makeTenant({ capacity: 200 }))
        const inlets = yield* Effect.forEach(processes, ({ does }) =>
          does(makeInlet(tenant, { places: Infinity }))
        )
        const settled = Effect.suspend(() =>
          processes[0].does(
            settleAll(
              tenant,
              inlets.flatMap(({ begun }) => begun.splice(0)),
              { at: second(9) }
            )
          )
        )
        yield* processes[0].does(
          Effect.replicateEffect(makeExecution(tenant, { callbackUrl }), 200, unbounded)
        )
        yield* settled
        const { claims } = yield* processes[0].does(
          Effect.flatMap(makeSession(tenant, { capacity: 200 }), (session) =>
            claimUpTo(session, { limit: 200, at: second(1) })
          )
        )

        yield* Effect.forEach(
          claims,
          ({ run }) => {
            const { accountId, id } = run.execution
            const start = RunStore.use((runs) => runs.start({ ...writeTo(run, second(2)), lease }))
            const stop = ExecutionStore.use((store) =>
              store.stop({ accountId, id, to: "aborted", reason: null, at: second(2) })
            )
            return Effect.all([Effect.exit(processes[0].does(start)), processes[1].does(stop)], {
              concurrency: 2,
              discard: true
            })
          },
          unbounded
        )

        const handedOver = inlets.flatMap(({ begun }) => begun).length
        assert.lengthOf(claims, 200)
        assert.isAtLeast(handedOver, 200)
        assert.deepStrictEqual(
          inlets.flatMap(({ ends }) => ends()).filter((end) => end !== "begun" && end !== "freed"),
          []
        )
        assert.deepStrictEqual(yield* brokenRules, [])
      })
    )
  })
})
