/**
 * What every store does with the writes of a runner that lost its lease, while
 * another lease on the same work is held: nothing. Sweeps see all accounts, so
 * no other suite may run in the same database at the same time.
 */
import { assert } from "@effect/vitest"
import { StoredJson } from "@runhook/core/shared/json/StoredJson"
import type { Outcome } from "@runhook/core/runs/EndMoves"
import { heldRun } from "@runhook/core/runs/Run"
import { ArtifactStore } from "@runhook/core/artifacts/ArtifactStore"
import { ExecutionStore } from "@runhook/core/executions/ExecutionStore"
import { RunStore } from "@runhook/core/runs/RunStore"
import { SweepStore } from "@runhook/core/sweeps/SweepStore"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import { finalizeMs, newArtifact } from "../artifacts/ArtifactStoreSuite.ts"
import { makeTenant, plenty, second, type Stores } from "../Fixtures.ts"
import type { SuiteOptions } from "../Suite.ts"
import { type Fenced, makeFencedRun, type Situation, situations } from "./FencingFixtures.ts"
import { claimUpTo, lease, makeAskingRun, newQuestion, startDeadline, writeTo } from "./RunFixtures.ts"
import { suiteOf } from "../SuiteOf.ts"

/** When the runner that lost its lease writes. */
const at = second(70)

const finishing =
  (outcome: Outcome) =>
  ({ lost }: Fenced, epoch: number) =>
    RunStore.use((store) =>
      store.finish({ ...writeTo(lost, at), epoch, outcome, fingerprint: "of the one that lost it" })
    )

const asking =
  (mode: "hold" | "release") =>
  ({ lost }: Fenced, epoch: number) =>
    Effect.gen(function* () {
      const store = yield* RunStore
      return yield* store.ask({ ...writeTo(lost, at), epoch, input: yield* newQuestion(at, { mode }) })
    })

const showing = (which: "heldArtifact" | "lostArtifact") => (fenced: Fenced, epoch: number) =>
  ArtifactStore.use((store) => {
    const { accountId, executionId, id } = fenced[which]
    return store.markReady({ accountId, executionId, id, epoch, finalizeMs, at })
  })

type Write = (fenced: Fenced, epoch: number) => Effect.Effect<unknown, unknown, Stores>

/** Every write of a runner that names an epoch. */
const writes: Readonly<Record<string, Write>> = {
  start: ({ lost }, epoch) => RunStore.use((store) => store.start({ ...writeTo(lost, at), epoch, lease })),
  complete: finishing({ _tag: "Completed", result: StoredJson.of({ sum: 3 }) }),
  fail: finishing({ _tag: "Failed", message: "no such page", isRetryable: false }),
  "fail for now": finishing({ _tag: "Failed", message: "no such page", isRetryable: true }),
  cancel: finishing({ _tag: "Cancelled", reason: "no need" }),
  "give back": ({ lost }, epoch) =>
    RunStore.use((store) => store.giveBack({ ...writeTo(lost, at), epoch, delay: Duration.zero })),
  "ask and hold on": asking("hold"),
  "ask and let go": asking("release"),
  "keep a checkpoint": ({ lost }, epoch) =>
    RunStore.use((store) =>
      store.keepCheckpoint({ ...writeTo(lost, at), epoch, checkpoint: StoredJson.of({ page: 7 }) })
    ),
  "register an artifact": ({ lost }, epoch) =>
    Effect.gen(function* () {
      const store = yield* ArtifactStore
      const artifact = yield* newArtifact(lost, { epoch, fileName: "late.pdf" })
      return yield* store.register({ artifact, finalizeMs, quotaBytes: null, at })
    }),
  "register an artifact again": ({ lostArtifact }, epoch) =>
    ArtifactStore.use((store) =>
      store.register({ artifact: { ...lostArtifact, epoch }, finalizeMs, quotaBytes: null, at })
    ),
  "show the artifact of its attempt": showing("lostArtifact"),
  "show the artifact of the attempt that is under way": showing("heldArtifact")
}

/** Those that were, and one that is yet to be. */
const staleEpochs = ({ held, lost }: Fenced): ReadonlyArray<number> => [
  lost.execution.epoch,
  lost.execution.epoch + 1,
  held.execution.epoch + 1
]

export const suite = <R>(
  name: string,
  layer: Layer.Layer<Stores | R, unknown>,
  { storedRows }: SuiteOptions<R>
) =>
  suiteOf("Fencing", { layer, name }, (it) => {
    const arranged = new Map<Situation, Fenced>()

    /** One for all writes, since none may change anything of it. */
    const fencedIn = Effect.fnUntraced(function* (situation: Situation) {
      const fenced = arranged.get(situation) ?? (yield* makeFencedRun(situation))
      arranged.set(situation, fenced)
      return fenced
    })

    it.effect.each(Object.entries(writes))(
      "lets a runner under a stale epoch change nothing while another lease is held: %s",
      ([, write]) =>
        Effect.forEach(situations, (situation) =>
          Effect.gen(function* () {
            const fenced = yield* fencedIn(situation)
            const { accountId, status, epoch: current } = fenced.held.execution
            const stored = storedRows(accountId)
            const before = yield* stored

            for (const epoch of staleEpochs(fenced)) {
              const error = yield* Effect.flip(write(fenced, epoch))

              const told = JSON.stringify({ ...situation, epoch })
              assert.deepInclude(error, { _tag: "LeaseLost", status, epoch: current }, told)
              assert.deepStrictEqual(yield* stored, before, told)
            }
          })
        )
    )

    it.effect.each(situations)(
      "extends no lease for a beat under a stale epoch: $holder, $progress",
      (situation) =>
        Effect.gen(function* () {
          const store = yield* RunStore
          const fenced = yield* makeFencedRun(situation)
          const { held, loser } = fenced
          const stored = storedRows(loser.accountId)
          const before = yield* stored
          const inFlight = staleEpochs(fenced).map((epoch) => ({ executionId: held.execution.id, epoch }))

          const heard = yield* store.beat({ session: loser, isDraining: false, inFlight, lease, at })

          assert.deepStrictEqual(heard.held, [heldRun(held)])
          assert.deepStrictEqual(yield* stored, before)
        })
    )

    it.effect.each(situations)(
      "answers no claim of before with what is held anew: $holder, $progress",
      (situation) =>
        Effect.gen(function* () {
          const store = yield* RunStore
          const { loser, lost } = yield* makeFencedRun(situation)
          const stored = storedRows(loser.accountId)
          const before = yield* stored
          const claimId = lost.lease?.claimId ?? assert.fail("It was not claimed")

          const { claims } = yield* store.claim({ session: loser, claimId, limit: 10, startDeadline, at })

          assert.deepStrictEqual(claims, [])
          assert.deepStrictEqual(yield* stored, before)
        })
    )

    it.effect.each(situations.filter(({ holder }) => holder !== "the same session"))(
      "takes nothing from a holder when the session that lost it ends: $holder, $progress",
      (situation) =>
        Effect.gen(function* () {
          const store = yield* RunStore
          const { loser } = yield* makeFencedRun(situation)
          const stored = storedRows(loser.accountId)
          const before = yield* stored

          const changes = yield* store.closeSession({ accountId: loser.accountId, id: loser.id, at })

          assert.deepStrictEqual(changes, [])
          assert.deepStrictEqual(yield* stored, before)
        })
    )

    it.test("takes no answer to a question of an attempt that was lost", function* () {
      const executions = yield* ExecutionStore
      const runs = yield* RunStore
      const sweeps = yield* SweepStore
      const { input, run, session } = yield* makeAskingRun(yield* makeTenant(), {
        execution: { maxAttempts: 2 },
        question: { expiresAt: second(600) }
      })
      const { accountId, id } = run.execution
      yield* sweeps.expireLeases({ at: second(62), limit: plenty })
      const { claims } = yield* claimUpTo(session, { limit: 1, at: second(63) })
      for (const claim of claims) {
        const { run: held } = yield* runs.start({ ...writeTo(claim.run, second(64)), lease })
        const own = yield* newQuestion(second(65))
        yield* runs.ask({ ...writeTo(held, second(65)), input: own })
      }
      const stored = storedRows(accountId)
      const before = yield* stored

      const error = yield* Effect.flip(
        executions.answer({ accountId, id, inputId: input.id, value: "42", at })
      )

      assert.lengthOf(claims, 1)
      assert.deepInclude(error, { _tag: "InputClosed", reason: "no_longer_awaited" })
      assert.deepStrictEqual(yield* stored, before)
    })
  })
