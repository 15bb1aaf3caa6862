/** What is given to polls that wait when processes meet, answers are lost, and hosts have transactions of their own. */
import { assert, describe, it } from "@effect/vitest"
import { RunStore } from "@runhook/core/runs/RunStore"
import { callbackUrl, makeExecution, makeTenant, second, type Tenant } from "@runhook/store-testing/Fixtures"
import {
  claimUpTo,
  idsOf,
  makeSession,
  makeWaitingPoll,
  startDeadline
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

const makePoll = (tenant: Tenant, options: Parameters<typeof makeWaitingPoll>[1] = {}) =>
  Effect.flatMap(makeSession(tenant), (session) => makeWaitingPoll(session, options))

describe("What is created while polls wait", () => {
  it.layer(layerMigrated, { excludeTestServices: true })((it) => {
    it.effect("does not pass what another process has created", () =>
      Effect.gen(function* () {
        const [here, there] = yield* Effect.all([makeProcess(), makeProcess()])
        const tenant = yield* here.does(makeTenant())
        const poll = yield* here.does(makePoll(tenant, { places: 2 }))
        const older = yield* there.does(makeExecution(tenant))
        const newer = yield* here.does(makeExecution(tenant, { createdAt: second(1) }))

        const { claims } = yield* here.does(claimUpTo(poll.session, { limit: 5, at: second(2) }))
        yield* here.does(makeExecution(tenant, { createdAt: second(3) }))

        assert.deepStrictEqual(poll.ends(), ["freed", "begun"])
        assert.deepStrictEqual(idsOf(claims), [older.id, newer.id])
      })
    )

    it.effect("is what goes first of all that is created together", () =>
      Effect.gen(function* () {
        const process = yield* makeProcess()
        const tenant = yield* process.does(makeTenant())
        // From here on the process knows the account, and both creates come in one turn.
        yield* process.does(makeExecution(tenant, { scheduledAt: second(99) }))
        const poll = yield* process.does(makePoll(tenant))

        const [, first] = yield* process.does(
          Effect.forEach([0, 5, 0], (priority) => makeExecution(tenant, { priority }), unbounded)
        )

        assert.deepStrictEqual(poll.ends(), ["begun"])
        assert.deepStrictEqual(
          poll.begun.map(({ run }) => run.execution.id),
          [first?.id]
        )
      })
    )

    it.effect(
      "goes to one poll each, as far as its agent has room, whoever else claims at another process",
      () =>
        Effect.gen(function* () {
          const processes = yield* Effect.all([makeProcess(), makeProcess()])
          const tenant = yield* processes[0].does(makeTenant({ capacity: 30 }))
          const polls = yield* Effect.forEach(
            Array.from({ length: 12 }, (_, place) => place),
            (place) =>
              (processes[place % 2] ?? processes[0]).does(
                makePoll(tenant, { places: 4, isStarting: place % 3 === 0 })
              )
          )
          const session = yield* processes[1].does(makeSession(tenant))

          const claimed: Array<string> = []
          yield* Effect.forEach(
            Array.from({ length: 80 }, (_, place) => place),
            Effect.fnUntraced(function* (place) {
              const { does } = processes[place % 2] ?? processes[0]
              yield* does(makeExecution(tenant, place % 4 === 0 ? { callbackUrl } : {}))
              if (place % 8 !== 0) return
              const { claims } = yield* does(claimUpTo(session, { limit: 1, at: second(1) }))
              claimed.push(...idsOf(claims))
            }),
            unbounded
          )

          const handedOver = polls.flatMap(({ begun }) => begun.map(({ run }) => run.execution.id))
          const given = [...handedOver, ...claimed]
          assert.isNotEmpty(handedOver)
          assert.strictEqual(new Set(given).size, given.length)
          assert.isAtMost(given.length, 30)
          assert.deepStrictEqual(yield* brokenRules, [])
        })
    )

    it.effect("is handed over to nobody in a transaction of the host, which may be rolled back", () =>
      Effect.gen(function* () {
        const process = yield* makeProcess()
        const tenant = yield* process.does(makeTenant())
        const poll = yield* process.does(makePoll(tenant))

        yield* process.does(Effect.flatMap(SqlClient, (sql) => sql.withTransaction(makeExecution(tenant))))

        assert.deepStrictEqual(poll.ends(), [])
      })
    )

    it.effect("is doubted when the answer was lost, and comes with the same claim id", () =>
      Effect.gen(function* () {
        const line = yield* makeLine()
        let loses = false
        const watching = yield* makeProcess()
        const process = yield* makeProcess({
          url: line.url,
          beforeStatement: (text) =>
            loses && text.includes("create_executions(") ? Effect.sync(line.loseAnswers) : Effect.void
        })
        const tenant = yield* watching.does(makeTenant())
        const poll = yield* process.does(makePoll(tenant))
        const leased = SqlClient.use(
          (sql) => sql`SELECT id FROM executions WHERE session_id = ${poll.session.id}::uuid`
        )
        loses = true

        const creating = yield* Effect.forkChild(process.does(makeExecution(tenant)))
        yield* Effect.repeat(leased, {
          schedule: Schedule.spaced("10 millis"),
          times: 1_000,
          until: ({ length }) => length === 1
        })
        loses = false
        line.hangUp()
        const { id } = yield* Fiber.join(creating)
        const { claimId, session } = poll
        const repeated = yield* watching.does(
          RunStore.use((runs) => runs.claim({ session, claimId, limit: 5, startDeadline, at: second(1) }))
        )

        assert.deepStrictEqual(poll.ends(), ["doubted"])
        assert.deepStrictEqual(idsOf(repeated.claims), [id])
      })
    )
  })
})
