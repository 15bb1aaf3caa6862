import { assert, describe, it } from "@effect/vitest"
import { finish, stop } from "@runhook/core/runs/EndMoves"
import { type Change, type Run, unchanged } from "@runhook/core/runs/Run"
import { countedOf } from "@runhook/core/usage/UsageOfChange"
import * as ExecutionSpans from "@runhook/core/executions/ExecutionSpans"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Tracer from "effect/Tracer"
import { acceptedRun, claimedRun, second, startedRun } from "../runs/RunFixtures.ts"

const traceId = "0af7651916cd43dd8448eb211c80319c"
const spanId = "b7ad6b7169203331"
const traceparent = `00-${traceId}-${spanId}-01`

/** What a process records of these changes. */
const recorded = Effect.fnUntraced(function* (...changes: ReadonlyArray<Change>) {
  const spans: Array<Tracer.NativeSpan> = []
  const tracer = Tracer.make({
    span: (options) => {
      const span = new Tracer.NativeSpan(options)
      spans.push(span)
      return span
    }
  })
  const record = yield* ExecutionSpans.make.pipe(Effect.withTracer(tracer))
  for (const change of changes) {
    const counted = countedOf(change)
    if (counted !== null) record(change.run.execution, counted)
  }
  return spans
})

const changeTo = (run: Run): Change => ({ ...unchanged(run), changed: true })

const ended = (run: Run, outcome: Parameters<typeof finish>[1]["outcome"]) =>
  Result.getOrThrow(finish(run, { epoch: 1, outcome, fingerprint: "f", at: second(30) }))

/** When a span began and ended, in seconds of the test. */
const timesOf = ({ status }: Tracer.NativeSpan) =>
  status._tag === "Ended" ? [status.startTime, status.endTime].map(secondOf) : []

const secondOf = (nanos: bigint) => Number(nanos / 1_000_000_000n) - second(0).epochMilliseconds / 1_000

describe("the spans of an execution", () => {
  it.effect("are the time that it waited and the time that it ran, below the span of its caller", () =>
    Effect.gen(function* () {
      const run = startedRun({ traceparent })

      const spans = yield* recorded(
        changeTo(acceptedRun({ traceparent })),
        changeTo(claimedRun({ traceparent })),
        changeTo(run),
        ended(run, { _tag: "Completed", result: null })
      )

      assert.deepStrictEqual(
        spans.map((span) => [span.name, ...timesOf(span)]),
        [
          ["execution queued", 0, 2],
          ["execution running", 2, 30]
        ]
      )
      for (const { parent } of spans)
        assert.deepInclude(Option.getOrUndefined(parent), { traceId, spanId, sampled: true })
    })
  )

  it.effect("fail with one that failed, and do not quote its message", () =>
    Effect.gen(function* () {
      const failure = { _tag: "Failed", message: "of account 4711", isRetryable: false } as const

      const [span] = yield* recorded(ended(startedRun({ traceparent }), failure))

      assert(span?.status._tag === "Ended")
      assert.strictEqual(span.status.exit._tag, "Failure")
      assert.notInclude(JSON.stringify([...span.attributes, span.status.exit]), "4711")
    })
  )

  it.effect("show that one which was stopped in the queue waited until then", () =>
    Effect.gen(function* () {
      const stopped = stop(acceptedRun({ traceparent }), { to: "aborted", reason: null, at: second(9) })

      const spans = yield* recorded(stopped)

      assert.deepStrictEqual(
        spans.map((span) => [span.name, ...timesOf(span)]),
        [["execution queued", 0, 9]]
      )
    })
  )

  it.effect("are not made where nobody traces, or the caller's trace is not sampled", () =>
    Effect.gen(function* () {
      const unsampled = `00-${traceId}-${spanId}-00`

      const spans = yield* recorded(changeTo(startedRun()), changeTo(startedRun({ traceparent: unsampled })))

      assert.deepStrictEqual(spans, [])
    })
  )
})
