import { assert, describe, it } from "@effect/vitest"
import { AccountId } from "@runhook/core/shared/Ids"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { Scheduler } from "effect/Scheduler"
import { callbacksWaitingMax, LoopTurns, perTurn } from "../../src/limits/LoopTurns.ts"

const busy = AccountId.make("01890000-0000-7000-8000-000000000001")
const other = AccountId.make("01890000-0000-7000-8000-000000000002")

const few = { count: callbacksWaitingMax }
const many = { count: callbacksWaitingMax + 1 }

/** Which turn of the event loop it is. */
const counting = Effect.acquireRelease(
  Effect.sync(() => {
    const loop = { turn: 0, isOver: false }
    const count = () => {
      loop.turn++
      if (!loop.isOver) setImmediate(count)
    }
    setImmediate(count)
    return loop
  }),
  (loop) =>
    Effect.sync(() => {
      loop.isOver = true
    })
)

/** Requests of accounts that come at once: how many turns each of them waits, in their order. */
const waits = Effect.fnUntraced(function* (turns: LoopTurns, accounts: ReadonlyArray<AccountId>) {
  const loop = yield* counting
  const fibers = yield* Effect.forEach(accounts, (account) =>
    Effect.forkChild(
      Effect.map(turns.next(account), () => loop.turn),
      { startImmediately: true }
    )
  )
  return yield* Effect.forEach(fibers, (fiber) => Fiber.join(fiber))
})

const times = <A>(count: number, value: A): ReadonlyArray<A> => Array.from({ length: count }, () => value)

describe("the turns of requests", () => {
  it.live("begin so many at once, and as many of those who wait in each turn of the event loop", () =>
    Effect.gen(function* () {
      const waited = yield* waits(new LoopTurns(few), times(3 * perTurn, busy))

      const turnsOf = waited.map((turn) => waited.filter((each) => each === turn).length)
      assert.deepStrictEqual(turnsOf, times(3 * perTurn, perTurn))
      assert.strictEqual(waited[0], 0)
    })
  )

  it.live("begin at once when they come one by one, however many have come", () =>
    Effect.gen(function* () {
      const turns = new LoopTurns(few)
      const nextTurn = Effect.callback<void>((resume) => void setImmediate(() => resume(Effect.void)))

      const waited = yield* Effect.forEach(times(3 * perTurn, busy), (account) =>
        Effect.andThen(nextTurn, waits(turns, [account]))
      )

      assert.deepStrictEqual(waited.flat(), times(3 * perTurn, 0))
    })
  )

  it("leave the loop without another turn when one is alone", () => {
    let tasks = 0
    const scheduler: Scheduler = {
      executionMode: "sync",
      shouldYield: () => false,
      makeDispatcher: () => ({ scheduleTask: () => void tasks++, flush: () => {} })
    }

    Effect.runForkWith(Context.make(Scheduler, scheduler))(new LoopTurns(few).next(busy))

    assert.strictEqual(tasks, 0)
  })

  it.live("begin half as many while many callbacks wait", () =>
    Effect.gen(function* () {
      const waited = yield* waits(new LoopTurns(many), times(2 * perTurn, busy))

      const turnsOf = waited.map((turn) => waited.filter((each) => each === turn).length)
      assert.deepStrictEqual(turnsOf, times(2 * perTurn, perTurn / 2))
    })
  )

  it.live("let an account wait for one turn of another, however many of that wait", () =>
    Effect.gen(function* () {
      const waited = yield* waits(new LoopTurns(few), [...times(20 * perTurn, busy), other])

      assert.strictEqual(waited.at(-1), waited[2 * perTurn])
    })
  )

  it.live("forget those who leave while they wait", () =>
    Effect.gen(function* () {
      const turns = new LoopTurns(few)
      const leaving = yield* Effect.forEach(times(3 * perTurn, busy), (account) =>
        Effect.forkChild(turns.next(account), { startImmediately: true })
      )
      yield* Fiber.interruptAll(leaving)

      const [waited] = yield* waits(turns, [busy])

      assert.isAtMost(waited ?? Number.NaN, 1)
    })
  )
})
