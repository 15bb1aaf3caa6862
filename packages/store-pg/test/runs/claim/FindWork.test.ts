/** What a session claims for which there is probably nothing. */
import { assert, describe, it } from "@effect/vitest"
import type { RunnerSession } from "@runhook/core/runs/sessions/RunnerSession"
import { ExecutionStore } from "@runhook/core/executions/ExecutionStore"
import { RunStore } from "@runhook/core/runs/RunStore"
import { makeExecution, makeTenant, second } from "@runhook/store-testing/Fixtures"
import { idsOf, makeSession, startDeadline } from "@runhook/store-testing/runs/RunFixtures"
import * as Effect from "effect/Effect"
import { CurrentTransformer } from "effect/sql/Statement"
import { makeProcess } from "../../Process.ts"
import { layerMigrated } from "../../TestDatabase.ts"

/** Claims one under an id of its own, a number of seconds into the test. */
const claim = (session: RunnerSession, claimId: string, seconds: number) =>
  RunStore.use((runs) =>
    runs.claim({ session, claimId, limit: 1, isLikely: false, startDeadline, at: second(seconds) })
  )

/** What the work sends to the database. */
const sentBy = Effect.fnUntraced(function* <A, E, R>(work: Effect.Effect<A, E, R>) {
  const texts: Array<string> = []
  yield* Effect.provideService(work, CurrentTransformer, (statement) =>
    Effect.sync(() => {
      texts.push(statement.compile()[0])
      return statement
    })
  )
  return texts
})

/** A process with a session that has just found nothing there. */
const makeIdleSession = Effect.fnUntraced(function* () {
  const process = yield* makeProcess()
  const tenant = yield* process.does(makeTenant())
  const session = yield* process.does(makeSession(tenant))
  yield* process.does(claim(session, "first", 1))
  return { process, tenant, session }
})

describe("A session that found nothing", () => {
  it.layer(layerMigrated)((it) => {
    it.effect("asks in one statement that locks nothing whether there is anything by now", () =>
      Effect.gen(function* () {
        const { process, session } = yield* makeIdleSession()

        const texts = yield* process.does(sentBy(claim(session, "second", 2)))

        assert.strictEqual(texts.length, 1)
        assert.notMatch(texts.join(), /FOR UPDATE|INSERT|UPDATE|DELETE/)
      })
    )

    it.effect("takes what is queued then, with a look before each claim", () =>
      Effect.gen(function* () {
        const { process, session, tenant } = yield* makeIdleSession()
        const { first, second: next } = yield* process.does(
          Effect.all({ first: makeExecution(tenant), second: makeExecution(tenant) })
        )

        const taken = yield* process.does(claim(session, "second", 2))
        const texts = yield* process.does(sentBy(claim(session, "third", 3)))
        const repeated = yield* process.does(claim(session, "third", 3))

        assert.deepStrictEqual(idsOf(taken.claims), [first.id])
        assert.deepStrictEqual(idsOf(repeated.claims), [next.id])
        assert.strictEqual(texts.length, 2)
      })
    )

    it.effect("learns when something will be due, and takes it then", () =>
      Effect.gen(function* () {
        const { process, session, tenant } = yield* makeIdleSession()
        const { id } = yield* process.does(makeExecution(tenant, { scheduledAt: second(60) }))

        const before = yield* process.does(claim(session, "second", 59))
        const then = yield* process.does(claim(session, "third", 60))

        assert.deepStrictEqual(before, { claims: [], isMoreDue: false, nextDueAt: second(60) })
        assert.deepStrictEqual(idsOf(then.claims), [id])
      })
    )

    it.effect("is given again what it claimed at another process, whose answer was lost", () =>
      Effect.gen(function* () {
        const { process, session, tenant } = yield* makeIdleSession()
        const other = yield* makeProcess()
        const { id } = yield* process.does(makeExecution(tenant))
        yield* other.does(claim(session, "second", 2))

        const repeated = yield* process.does(claim(session, "second", 3))
        const another = yield* process.does(claim(session, "third", 3))

        assert.deepStrictEqual(idsOf(repeated.claims), [id])
        assert.deepStrictEqual(another.claims, [])
      })
    )

    it.effect("finds nothing of what was stopped meanwhile", () =>
      Effect.gen(function* () {
        const { process, session, tenant } = yield* makeIdleSession()
        const { accountId, id } = yield* process.does(makeExecution(tenant))
        yield* process.does(
          ExecutionStore.use((executions) =>
            executions.stop({ accountId, id, to: "aborted", reason: null, at: second(2) })
          )
        )

        const { claims } = yield* process.does(claim(session, "second", 3))

        assert.deepStrictEqual(claims, [])
      })
    )

    it.effect("is told when it was left at another process", () =>
      Effect.gen(function* () {
        const { process, session } = yield* makeIdleSession()
        const other = yield* makeProcess()
        const { accountId, id } = session
        yield* other.does(RunStore.use((runs) => runs.closeSession({ accountId, id, at: second(2) })))

        const error = yield* process.does(Effect.flip(claim(session, "second", 3)))

        assert.strictEqual(error._tag, "SessionNotFound")
      })
    )
  })
})
