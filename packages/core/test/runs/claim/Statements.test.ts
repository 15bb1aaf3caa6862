/** What runners and their work ask of the database, statement by statement. */
import { assert, describe, it } from "@effect/vitest"
import type { Execution } from "@runhook/core/executions/Execution"
import { StoredJson } from "@runhook/core/shared/json/StoredJson"
import { lookEvery } from "@runhook/core/engine/LongPoll"
import { Executions } from "@runhook/core/executions/Executions"
import { Polling } from "@runhook/core/runs/claim/Polling"
import { Runs } from "@runhook/core/runs/Runs"
import { inFlightOf, makeRunner, poll, pollNow } from "@runhook/test-support/engine/Runner"
import { makeExecution, makeTenant } from "@runhook/test-support/engine/Tenant"
import * as Array from "effect/Array"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { TestClock } from "effect/testing"
import { parked, Processes, Statements } from "../../engine/Processes.ts"

/** Statements by the words that stand in no other. The rest is "other". */
const names: ReadonlyArray<readonly [words: string, name: string]> = [
  ["FROM runner_keys", "key"],
  ["FROM create_executions(", "create"],
  ["UPDATE runner_sessions", "session"],
  ['"nextDueAt"', "look for work"],
  ["FROM claim_runs(", "claim"],
  ["AS held (id, place)", "work in flight"],
  ["SET lease_expires_at = unmoved", "leases"]
]

/** What a process does beside what it was asked for: it tells others, and adds to counts. */
const isAside = (text: string): boolean => text.includes("pg_notify") || text.includes("usage_sums")

/** The statements that something sends, in their order. */
const sentBy = Effect.fnUntraced(function* <A, E, R>(doing: Effect.Effect<A, E, R>) {
  const texts = yield* Statements
  texts.length = 0
  yield* doing
  return texts
    .filter((text) => !isAside(text))
    .map((text) => names.find(([words]) => text.includes(words))?.[1] ?? "other")
})

const onOne = <A, E, R>(test: Effect.Effect<A, E, R>) =>
  Effect.flatMap(Processes, ({ one }) => Effect.provide(test, one))

const completed = { _tag: "Completed", result: StoredJson.of({ pages: 3 }) } as const

/** A runner that has polled before, so that its key and its session are known. */
const makeKnownRunner = Effect.fnUntraced(function* () {
  const tenant = yield* makeTenant({ version: { resultSchema: { type: "object" } } })
  const runner = yield* makeRunner(tenant)
  yield* pollNow(runner)
  return { tenant, runner }
})

/** An execution as its caller names it. */
const refOf = ({ tenant }: KnownRunner, { id }: Pick<Execution, "id">) => ({
  accountId: tenant.caller.accountId,
  id
})

type KnownRunner = Effect.Success<ReturnType<typeof makeKnownRunner>>

/** An execution that the runner has claimed. */
const claimed = Effect.fnUntraced(function* ({ runner, tenant }: KnownRunner) {
  yield* makeExecution(tenant)
  const { claims } = yield* pollNow(runner)
  const [claim] = claims
  if (claim === undefined) return yield* Effect.die(new Error("There is no work"))
  const { epoch, id } = claim.run.execution
  return { key: runner.key, id, epoch }
})

describe("The statements of a process", () => {
  it.layer(Processes.layer)((it) => {
    it.effect("for a poll are none while nothing is new, and after five seconds one for each question", () =>
      Effect.gen(function* () {
        const { runner } = yield* makeKnownRunner()
        const idle = yield* sentBy(pollNow(runner))
        yield* TestClock.adjust(lookEvery)

        const later = yield* sentBy(pollNow(runner))

        assert.deepStrictEqual([idle, later], [[], ["key", "session", "look for work"]])
      }).pipe(onOne)
    )

    it.effect("for a poll look before they claim where no work was signalled, until there is a backlog", () =>
      Effect.gen(function* () {
        const { runner, tenant } = yield* makeKnownRunner()
        yield* Effect.replicateEffect(makeExecution(tenant), 3)

        const polls = yield* Effect.replicateEffect(sentBy(pollNow(runner)), 5)

        assert.deepStrictEqual(polls, [
          ["claim"],
          ["look for work", "claim"],
          ["claim"],
          ["claim", "look for work"],
          []
        ])
      }).pipe(onOne)
    )

    it.effect(
      "for a poll ask for the work of the runner when others change it, or it names what has ended",
      () =>
        Effect.gen(function* () {
          const runs = yield* Runs
          const known = yield* makeKnownRunner()
          const held = yield* claimed(known)
          yield* runs.start(held)
          const polling = (inFlight: ReadonlyArray<typeof held>) =>
            sentBy(pollNow(known.runner, { freeSlots: 0, inFlight: inFlight.map(inFlightOf) }))

          const started = yield* polling([held])
          yield* runs.finish({ ...held, outcome: completed })
          const finished = yield* polling([])
          const ended = yield* polling([held])
          const again = yield* claimed(known)
          yield* (yield* Executions).stop({ ...refOf(known, again), to: "aborted", reason: null })
          const stopped = yield* polling([again])

          assert.deepStrictEqual([started, finished], [[], []])
          assert.deepStrictEqual([ended, stopped], Array.replicate(["session", "work in flight"], 2))
        }).pipe(onOne)
    )

    it.effect("for a sign of life read what is in flight, and write leases that have grown old", () =>
      Effect.gen(function* () {
        const polling = yield* Polling
        const known = yield* makeKnownRunner()
        const held = yield* claimed(known)
        yield* (yield* Runs).start(held)
        const beat = polling.beat({ ...known.runner, inFlight: [inFlightOf(held)] })
        const young = yield* sentBy(beat)
        yield* TestClock.adjust("15 seconds")

        const old = yield* sentBy(beat)

        assert.deepStrictEqual(young, ["session", "work in flight"])
        assert.deepStrictEqual(old, ["session", "work in flight", "leases"])
      }).pipe(onOne)
    )

    it.effect("for work that is created for a runner that waits are one, which begins it", () =>
      Effect.gen(function* () {
        const known = yield* makeKnownRunner()
        const handOver = Effect.gen(function* () {
          const waiting = yield* parked(poll(known.runner, { isStarting: true }))
          const sent = yield* sentBy(Effect.andThen(makeExecution(known.tenant), Fiber.join(waiting)))
          const { claims } = yield* Fiber.join(waiting)
          return { sent, inFlight: claims.map(({ run }) => inFlightOf(run.execution)) }
        })
        // What a create and a runner must know of a version is read once.
        yield* handOver

        const { inFlight, sent } = yield* handOver
        const next = yield* sentBy(pollNow(known.runner, { inFlight }))

        assert.lengthOf(inFlight, 1)
        assert.deepStrictEqual([sent, next], [["create"], []])
      }).pipe(onOne)
    )

    it.effect("for a start and an end of known work are one each", () =>
      Effect.gen(function* () {
        const runs = yield* Runs
        const known = yield* makeKnownRunner()
        const first = yield* claimed(known)
        yield* runs.start(first)
        // What its version promises of results is known from here on.
        yield* runs.finish({ ...first, outcome: completed })
        const held = yield* claimed(known)

        const started = yield* sentBy(runs.start(held))
        const finished = yield* sentBy(runs.finish({ ...held, outcome: completed }))

        assert.deepStrictEqual([started.length, finished.length], [1, 1])
      }).pipe(onOne)
    )
  })
})
