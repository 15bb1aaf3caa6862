/** A machine that runs fibers: a process of the service, a runner, a caller. It can freeze, and crash. */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Fiber from "effect/Fiber"
import * as Random from "effect/Random"
import * as References from "effect/References"
import * as Scheduler from "effect/Scheduler"
import type { Chance } from "./Chance.ts"
import type { Timeline } from "./Timeline.ts"

export class Host {
  readonly name: string
  readonly #timeline: Timeline
  /** Until then nothing that it waits for comes, as if the machine stood still. */
  frozenUntil = 0
  /** Its memory is gone, and its fibers never go on. */
  isDown = false
  /** What its fibers run with. */
  readonly context: Context.Context<never>

  constructor(name: string, timeline: Timeline, chance: Chance) {
    this.name = name
    this.#timeline = timeline
    this.context = Context.make(Clock.Clock, clockOf(this, timeline)).pipe(
      Context.add(Scheduler.Scheduler, schedulerOf(this, timeline)),
      Context.add(Random.Random, chance.random),
      Context.add(References.MinimumLogLevel, "None")
    )
  }

  after(milliseconds: number, run: () => void): () => void {
    return this.#timeline.after(milliseconds, this, run)
  }

  freeze(milliseconds: number): void {
    this.frozenUntil = this.#timeline.elapsed + milliseconds
  }

  run<A, E>(effect: Effect.Effect<A, E>): Fiber.Fiber<A, E> {
    return Effect.runForkWith(this.context)(effect)
  }
}

const schedulerOf = (host: Host, timeline: Timeline): Scheduler.Scheduler => ({
  executionMode: "async",
  shouldYield: (fiber) => fiber.currentOpCount >= 2_048,
  makeDispatcher: () => ({
    scheduleTask: (task) =>
      timeline.soon(() => {
        if (!host.isDown) task()
      }),
    flush: () => undefined
  })
})

const clockOf = (host: Host, timeline: Timeline): Clock.Clock => {
  const nanos = () => BigInt(timeline.now) * 1_000_000n
  return {
    currentTimeMillisUnsafe: () => timeline.now,
    currentTimeNanosUnsafe: nanos,
    monotonicTimeNanosUnsafe: () => BigInt(timeline.elapsed) * 1_000_000n,
    currentTimeMillis: Effect.sync(() => timeline.now),
    currentTimeNanos: Effect.sync(nanos),
    monotonicTimeNanos: Effect.sync(() => BigInt(timeline.elapsed) * 1_000_000n),
    sleep: (duration) => {
      const milliseconds = Duration.toMillis(duration)
      if (!Number.isFinite(milliseconds)) return Effect.never
      return Effect.callback((resume) => {
        const callOff = host.after(milliseconds, () => resume(Effect.void))
        return Effect.sync(callOff)
      })
    }
  }
}
