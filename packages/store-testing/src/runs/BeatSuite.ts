/** What every RunStore does with signs of life of runners. */
import { assert } from "@effect/vitest"
import { ExecutionId } from "@runhook/core/shared/Ids"
import { heldRun, type Run } from "@runhook/core/runs/Run"
import type { RunnerSession } from "@runhook/core/runs/sessions/RunnerSession"
import { RunStore } from "@runhook/core/runs/RunStore"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import { makeRunnerKey } from "../catalog/CatalogFixtures.ts"
import { idAt, makeExecution, makeTenant, second, type Stores } from "../Fixtures.ts"
import { claimUpTo, lease, makeSession, makeStartedRun } from "./RunFixtures.ts"
import { suiteOf } from "../SuiteOf.ts"

const inFlightOf = ({ execution: { epoch, id } }: Run) => ({ executionId: id, epoch })

/** A sign of life that says nothing of draining, with the runs in flight. */
const beatAt = Effect.fnUntraced(function* (
  session: RunnerSession,
  at: number,
  options: { readonly isDraining?: boolean; readonly runs?: ReadonlyArray<Run> } = {}
) {
  const { isDraining = null, runs = [] } = options
  const store = yield* RunStore
  return yield* store.beat({ session, isDraining, inFlight: runs.map(inFlightOf), lease, at: second(at) })
})

export const suite = (name: string, layer: Layer.Layer<Stores, unknown>) =>
  suiteOf("RunStore beat", { layer, name }, (it) => {
    it.test("keeps the session present, and extends its started work", function* () {
      const store = yield* RunStore
      const { run, session } = yield* makeStartedRun(yield* makeTenant())
      const { epoch, id: executionId } = run.execution

      const { held: runs } = yield* store.beat({
        session,
        isDraining: true,
        inFlight: [{ executionId, epoch }],
        lease,
        at: second(30)
      })

      assert.deepStrictEqual(
        runs.map((each) => each.lease?.expiresAt),
        [second(90)]
      )
      const seen = yield* store.getSession(session)
      assert.deepStrictEqual(seen, { ...session, isDraining: true, lastSeenAt: second(30) })
    })

    it.test("extends neither work that was not started nor work under an old epoch", function* () {
      const store = yield* RunStore
      const tenant = yield* makeTenant()
      const { run, session } = yield* makeStartedRun(tenant)
      yield* makeExecution(tenant)
      const { claims } = yield* claimUpTo(session, { limit: 1, at: second(3) })
      const claimed = claims.map((claim) => claim.run)
      const old = { executionId: run.execution.id, epoch: run.execution.epoch - 1 }
      const inFlight = [old, ...claimed.map(({ execution: { epoch, id } }) => ({ executionId: id, epoch }))]

      const { held: runs } = yield* store.beat({
        session,
        isDraining: false,
        inFlight,
        lease,
        at: second(30)
      })

      assert.deepStrictEqual(runs, [run, ...claimed].map(heldRun))
    })

    it.test("extends no lease of another session", function* () {
      const store = yield* RunStore
      const tenant = yield* makeTenant()
      const { run } = yield* makeStartedRun(tenant)
      const session = yield* makeSession(tenant)
      const { epoch, id: executionId } = run.execution
      const inFlight = [{ executionId, epoch }]

      const { held: runs } = yield* store.beat({
        session,
        isDraining: false,
        inFlight,
        lease,
        at: second(30)
      })

      assert.deepStrictEqual(runs, [heldRun(run)])
    })

    it.test("leaves unknown and foreign executions out of what a session hears", function* () {
      const store = yield* RunStore
      const { run } = yield* makeStartedRun(yield* makeTenant())
      const { session } = yield* makeStartedRun(yield* makeTenant())
      const { epoch, id } = run.execution
      const unknown = yield* idAt(ExecutionId, second(0))
      const inFlight = [
        { executionId: id, epoch },
        { executionId: unknown, epoch }
      ]

      const { held: runs } = yield* store.beat({
        session,
        isDraining: false,
        inFlight,
        lease,
        at: second(30)
      })

      assert.deepStrictEqual(runs, [])
    })

    it.test("answers the session as it now is", function* () {
      const store = yield* RunStore
      const session = yield* makeSession(yield* makeTenant())
      const asked = yield* store.drainSession({ ...session, at: second(1) })

      const heard = yield* beatAt(session, 20)

      assert.deepStrictEqual(heard, { session: { ...asked, lastSeenAt: second(20) }, held: [] })
    })

    it.effect(
      "notes when a session was heard of every ten seconds, and that it takes no more work at once",
      () =>
        Effect.gen(function* () {
          const store = yield* RunStore
          const session = yield* makeSession(yield* makeTenant())
          const seenAt = (at: number, isDraining?: boolean) =>
            Effect.gen(function* () {
              const heard = yield* beatAt(session, at, isDraining === undefined ? {} : { isDraining })
              assert.deepStrictEqual(yield* store.getSession(session), heard.session)
              return [heard.session.lastSeenAt, heard.session.isDraining]
            })

          const seen = [
            yield* seenAt(9.999),
            yield* seenAt(10),
            yield* seenAt(12, true),
            yield* seenAt(14, true),
            yield* seenAt(22),
            yield* seenAt(23, false)
          ]

          assert.deepStrictEqual(seen, [
            [second(0), false],
            [second(10), false],
            [second(12), true],
            [second(12), true],
            [second(22), true],
            [second(23), false]
          ])
        })
    )

    it.test(
      "extends a lease once that adds a twelfth of it, and answers the end that is stored",
      function* () {
        const store = yield* RunStore
        const { run, session } = yield* makeStartedRun(yield* makeTenant())
        const { accountId, id } = run.execution
        const endAt = (at: number) =>
          Effect.gen(function* () {
            const { held } = yield* beatAt(session, at, { runs: [run] })
            const stored = yield* store.get({ accountId, id })
            assert.deepStrictEqual(held, [heldRun(stored)])
            return stored.lease?.expiresAt
          })

        const ends = [yield* endAt(6.999), yield* endAt(7), yield* endAt(11), yield* endAt(30)]

        assert.deepStrictEqual(ends, [second(62), second(67), second(67), second(90)])
      }
    )

    it.test("answers a run once that is named under its epoch and under one before", function* () {
      const store = yield* RunStore
      const { run, session } = yield* makeStartedRun(yield* makeTenant())
      const now = inFlightOf(run)
      const inFlight = [now, { ...now, epoch: now.epoch - 1 }, now]

      const { held } = yield* store.beat({ session, isDraining: null, inFlight, lease, at: second(30) })

      assert.deepStrictEqual(
        held.map((each) => each.lease?.expiresAt),
        [second(90)]
      )
    })

    it.test("knows no session that was left, or of another key, and extends nothing of theirs", function* () {
      const store = yield* RunStore
      const { run, session } = yield* makeStartedRun(yield* makeTenant())
      const { accountId, id } = session
      const otherKey = (yield* makeRunnerKey(accountId)).id

      const ofOther = yield* Effect.flip(beatAt({ ...session, runnerKeyId: otherKey }, 30, { runs: [run] }))
      yield* store.closeSession({ accountId, id, at: second(30) })
      const left = yield* Effect.flip(beatAt(session, 30, { runs: [run] }))

      assert.deepStrictEqual([ofOther._tag, left._tag], ["SessionNotFound", "SessionNotFound"])
      const stored = yield* store.get({ accountId, id: run.execution.id })
      assert.deepStrictEqual(stored.lease?.expiresAt, second(62))
    })
  })
