/** What every HistoryStore does with the lines of logs. */
import { assert } from "@effect/vitest"
import { logLinesMax, type SaidLine } from "@runhook/core/runs/LogLine"
import type { Run } from "@runhook/core/runs/Run"
import type { RunnerSession } from "@runhook/core/runs/sessions/RunnerSession"
import { HistoryStore } from "@runhook/core/executions/history/HistoryStore"
import { RunStore } from "@runhook/core/runs/RunStore"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import { makeTenant, second, type Stores } from "../Fixtures.ts"
import {
  claimUpTo,
  lease,
  makeClaimedRun,
  makeSession,
  makeStartedRun,
  writeTo
} from "../runs/RunFixtures.ts"
import type { SuiteOptions } from "../Suite.ts"
import { suiteOf } from "../SuiteOf.ts"

const line = (message: string, fields: Partial<SaidLine> = {}): SaidLine => ({
  level: "info",
  message,
  ageMillis: 0,
  number: null,
  ...fields
})

const say = (
  run: Run,
  lines: ReadonlyArray<SaidLine>,
  {
    session = null,
    epoch = run.execution.epoch,
    at = 10
  }: {
    readonly session?: RunnerSession | null
    readonly epoch?: number
    readonly at?: number
  } = {}
) =>
  HistoryStore.use((history) =>
    history.log({
      accountId: run.execution.accountId,
      sessionId: session?.id ?? null,
      said: [{ executionId: run.execution.id, epoch, lines }],
      at: second(at)
    })
  )

const heard = ({ execution: { accountId, id } }: Run, after = 0, limit = 10_000) =>
  HistoryStore.use((history) => history.lines({ accountId, id, after, limit }))

const messagesOf = (run: Run) => Effect.map(heard(run), (lines) => lines.map(({ message }) => message))

export const suite = <R>(
  name: string,
  layer: Layer.Layer<Stores | R, unknown>,
  { storedRows }: SuiteOptions<R>
) =>
  suiteOf("Logs", { layer, name }, (it) => {
    it.test(
      "keeps lines in their order, with what they are, when they were written and by which attempt",
      function* () {
        const { run, session } = yield* makeStartedRun(yield* makeTenant())

        yield* say(run, [line("one", { ageMillis: 1_500 }), line("", { level: "error" })], { session })
        yield* say(run, [line("three \u{1F600}", { level: "debug" })], { at: 12 })

        assert.deepStrictEqual(yield* heard(run), [
          {
            sequence: 1,
            at: DateTime.subtract(second(10), { milliseconds: 1_500 }),
            level: "info",
            message: "one",
            attempt: 1
          },
          { sequence: 2, at: second(10), level: "error", message: "", attempt: 1 },
          { sequence: 3, at: second(12), level: "debug", message: "three \u{1F600}", attempt: 1 }
        ])
        assert.deepStrictEqual(
          (yield* heard(run, 1, 1)).map(({ sequence }) => sequence),
          [2]
        )
      }
    )

    it.test("keeps a numbered line once under one epoch, however often it is sent", function* () {
      const store = yield* RunStore
      const { run, session } = yield* makeStartedRun(yield* makeTenant(), { maxAttempts: 2 })
      const [one, two, three] = [1, 2, 3].map((number) => line(`${number}`, { number }))
      if (one === undefined || two === undefined || three === undefined) return assert.fail()

      yield* say(run, [one, two])
      yield* say(run, [one, two, three])
      const outcome = { _tag: "Failed", message: "no paper", isRetryable: true } as const
      yield* store.finish({ ...writeTo(run, second(11)), outcome, fingerprint: "one" })
      const { claims } = yield* claimUpTo(session, { limit: 1, at: second(70) })
      for (const claim of claims) {
        const again = yield* store.start({ ...writeTo(claim.run, second(71)), lease })
        yield* say(again.run, [one], { at: 72 })
      }

      assert.deepStrictEqual(
        (yield* heard(run)).map(({ attempt, message }) => [attempt, message]),
        [
          [1, "1"],
          [1, "2"],
          [1, "3"],
          [2, "1"]
        ]
      )
    })

    it.test("keeps the newest, whose numbers go on", function* () {
      const { run } = yield* makeStartedRun(yield* makeTenant())
      const some = Array.from({ length: logLinesMax - 1 }, (_, index) => line(`${index}`))

      yield* say(run, some)
      yield* say(run, [line("a"), line("b"), line("c")])

      const kept = yield* heard(run)
      assert.lengthOf(kept, logLinesMax)
      assert.deepStrictEqual([kept[0]?.message, kept[0]?.sequence], ["2", 3])
      assert.deepStrictEqual([kept.at(-1)?.message, kept.at(-1)?.sequence], ["c", logLinesMax + 2])
    })

    it.test("numbers the lines of requests at once without a gap, and loses none", function* () {
      const { run } = yield* makeStartedRun(yield* makeTenant())
      const names = Array.from({ length: 20 }, (_, index) => `${index}`)

      yield* Effect.forEach(names, (each) => say(run, [line(each)]), { concurrency: "unbounded" })

      const kept = yield* heard(run)
      assert.sameMembers(
        kept.map(({ message }) => message),
        names
      )
      assert.deepStrictEqual(
        kept.map(({ sequence }) => sequence),
        names.map((_, index) => index + 1)
      )
    })

    it.test(
      "takes lines of several executions together, and skips those whose holder they do not come from",
      function* () {
        const history = yield* HistoryStore
        const tenant = yield* makeTenant()
        const { run, session } = yield* makeStartedRun(tenant)
        const other = yield* makeStartedRun(tenant)
        const unstarted = yield* makeClaimedRun(tenant)
        const { accountId } = yield* makeTenant()
        const stored = storedRows(tenant.accountId)
        const before = yield* stored

        yield* say(run, [line("stale")], { epoch: run.execution.epoch - 1 })
        yield* say(run, [line("from another session")], { session: yield* makeSession(tenant) })
        yield* say(unstarted.run, [line("too early")])
        yield* say({ ...run, execution: { ...run.execution, accountId } }, [line("from another account")])
        assert.deepStrictEqual(yield* stored, before)

        yield* history.log({
          accountId: tenant.accountId,
          sessionId: session.id,
          said: [run, other.run].map(({ execution: { epoch, id: executionId } }) => ({
            executionId,
            epoch,
            lines: [line("mine")]
          })),
          at: second(10)
        })
        assert.deepStrictEqual([yield* messagesOf(run), yield* messagesOf(other.run)], [["mine"], []])
      }
    )

    it.test("tells who follows the log that it has more, and who follows the events alone not", function* () {
      const history = yield* HistoryStore
      const { run } = yield* makeStartedRun(yield* makeTenant())
      const { accountId, id } = run.execution
      yield* say(run, [line("one")])
      const seen = { accountId, id, after: run.revision }
      const changedFor = (afterLine: number | null) => history.changedSince([{ ...seen, afterLine }])

      assert.deepStrictEqual(
        [yield* changedFor(0), yield* changedFor(1), yield* changedFor(null)],
        [[id], [], []]
      )
    })
  })
