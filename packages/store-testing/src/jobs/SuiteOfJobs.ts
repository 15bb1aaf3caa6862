/**
 * What the jobs of every store have in common: how they are advanced in turn, and how they end. Jobs are advanced
 * whosever they are, so no other suite may run in the same database at the same time.
 */
import { assert } from "@effect/vitest"
import { type Job, jobRemembered } from "@runhook/core/jobs/Job"
import { SweepStore } from "@runhook/core/sweeps/SweepStore"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import { plenty, second, type Stores } from "../Fixtures.ts"
import { suiteOf } from "../SuiteOf.ts"

type Does<A> = Effect.Effect<A, unknown, Stores>

/** A job of a new account. */
export interface Begun {
  readonly id: string
  readonly current: Does<Job>
  readonly cancel: (at: DateTime.Utc) => Does<Job>
  readonly putOff: (by: Duration.Duration, at: DateTime.Utc) => Does<void>
  /** Of each thing that it is to do, whether that is done. */
  readonly done: Does<ReadonlyArray<boolean>>
  /** How many it has counted. */
  readonly counted: Does<number>
}

/** Jobs of one kind. */
export interface Kind {
  readonly port: string
  readonly begun: (things: number) => Does<Begun>
  /** A bite of the job that is due first. */
  readonly advance: (limit: number, at?: DateTime.Utc) => Does<{ readonly id: string } | null>
}

export const suiteOfJobs = (name: string, layer: Layer.Layer<Stores, unknown>, kind: Kind) =>
  suiteOf(`${kind.port} jobs`, { layer, name }, (it) => {
    const { advance, begun } = kind

    /** Bites until no job is due. */
    const finish = Effect.gen(function* () {
      for (let bites = 0; bites < 1_000; bites++) if ((yield* advance(100)) === null) return
      return yield* Effect.die(new Error("The jobs go on"))
    })

    const advanceAt = (moments: ReadonlyArray<number>) =>
      Effect.forEach(moments, (at) => Effect.map(advance(1, second(at)), (job) => job?.id))

    it.test("stop when they are cancelled, and what they have done stays so", function* () {
      const job = yield* begun(3)
      yield* advance(2)

      const cancelled = yield* job.cancel(second(102))
      const again = yield* job.cancel(second(103))

      assert.deepInclude(cancelled, {
        status: "cancelled",
        updatedAt: second(102),
        finishedAt: second(102)
      })
      assert.deepStrictEqual(again, cancelled)
      assert.isNull(yield* advance(2))
      assert.deepStrictEqual([yield* job.done, yield* job.counted], [[true, true, false], 2])
    })

    it.test("are left as they are when they are cancelled after their end", function* () {
      const job = yield* begun(0)
      yield* finish
      const ended = yield* job.current

      const cancelled = yield* job.cancel(second(200))

      assert.strictEqual(ended.status, "completed")
      assert.deepStrictEqual(cancelled, ended)
    })

    it.test("are advanced in turn, the one first that has waited longest", function* () {
      const [first, next] = [yield* begun(3), yield* begun(3)]

      const advanced = yield* advanceAt([101, 102, 103, 104])

      assert.deepStrictEqual(advanced, [first.id, next.id, first.id, next.id])
      yield* finish
    })

    it.test("are left alone while they are put off, and others are advanced meanwhile", function* () {
      const [failing, other] = [yield* begun(3), yield* begun(4)]

      yield* failing.putOff(Duration.seconds(3), second(101))

      assert.deepStrictEqual(yield* advanceAt([102, 103, 104, 105]), [
        other.id,
        other.id,
        failing.id,
        other.id
      ])
      yield* failing.putOff(Duration.minutes(10), second(105))
      yield* finish
      assert.strictEqual((yield* failing.current).status, "running")
      yield* failing.cancel(second(106))
    })

    it.test("do each thing once, and count it once, however many advance them at once", function* () {
      const job = yield* begun(24)

      const bites = yield* Effect.all(
        Array.from({ length: 16 }, () => advance(2)),
        { concurrency: "unbounded" }
      )
      yield* finish

      assert.isTrue(bites.some((bite) => bite !== null))
      assert.strictEqual((yield* job.current).status, "completed")
      assert.deepStrictEqual(
        yield* job.done,
        Array.from({ length: 24 }, () => true)
      )
      assert.strictEqual(yield* job.counted, 24)
    })

    it.test("end for good when they are cancelled while others advance them", function* () {
      const job = yield* begun(12)

      yield* Effect.all(
        [job.cancel(second(102)), ...Array.from({ length: 8 }, () => Effect.asVoid(advance(1)))],
        { concurrency: "unbounded" }
      )

      assert.strictEqual((yield* job.current).status, "cancelled")
      assert.lengthOf((yield* job.done).filter(Boolean), yield* job.counted)
    })

    it.test("are forgotten 30 days after their end, and not while they run", function* () {
      const sweeps = yield* SweepStore
      const ended = yield* begun(1)
      const before = yield* ended.cancel(second(101))
      const kept = yield* begun(1)
      const running = yield* kept.current
      const end = DateTime.addDuration(second(101), jobRemembered)
      yield* sweeps.prune("expired", { at: DateTime.subtract(end, { milliseconds: 1 }), limit: plenty })
      assert.deepStrictEqual(yield* ended.current, before)

      const { pruned: count } = yield* sweeps.prune("expired", { at: end, limit: plenty })

      assert.isAtLeast(count, 1)
      assert.include(["JobNotFound", "ReplayNotFound"], tagOf(yield* Effect.flip(ended.current)))
      assert.deepStrictEqual(yield* kept.current, running)
      yield* finish
    })
  })

const tagOf = (error: unknown): unknown =>
  typeof error === "object" && error !== null && "_tag" in error ? error._tag : error
