import { assert, describe, it } from "@effect/vitest"
import { Executions } from "@runhook/core/executions/Executions"
import { Runs } from "@runhook/core/runs/Runs"
import { useCase } from "@runhook/core/engine/UseCase"
import { test } from "@runhook/test-support/engine/Test"
import { makeRunner, makeStartedRun } from "@runhook/test-support/engine/Runner"
import { current, makeTenant } from "@runhook/test-support/engine/Tenant"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as References from "effect/References"
import * as Tracer from "effect/Tracer"

/** A tracer, and the spans that it was asked for. */
const collecting = () => {
  const spans: Array<Tracer.NativeSpan> = []
  const tracer = Tracer.make({
    span: (options) => {
      const span = new Tracer.NativeSpan(options)
      spans.push(span)
      return span
    }
  })
  return { spans, tracer }
}

/** An execution from its create to its end. */
const lifecycle = Effect.gen(function* () {
  const tenant = yield* makeTenant()
  const { execution, held } = yield* makeStartedRun(tenant, yield* makeRunner(tenant))
  yield* (yield* Runs).finish({ ...held, outcome: { _tag: "Completed", result: null } })
  yield* current(execution)
  yield* (yield* Executions).stop({ ...execution, to: "aborted", reason: null })
})

const steps = [
  "Executions.create",
  "Runs.open",
  "Polling.poll",
  "Runs.start",
  "Runs.finish",
  "Executions.get",
  "Executions.stop"
]

const whereAmI = useCase("Test.whereAmI")(function* () {
  return yield* Effect.orElseSucceed(Effect.currentSpan, () => undefined)
})

describe("useCase", () => {
  test("gives each step of an execution a span of its name, under that of whoever asked", function* () {
    const { spans, tracer } = collecting()

    yield* lifecycle.pipe(Effect.withSpan("test"), Effect.withTracer(tracer))

    const [root, ...others] = spans
    assert.includeMembers(
      others.map(({ name }) => name),
      steps
    )
    for (const { name, parent, status } of others.filter((span) => steps.includes(span.name))) {
      assert.strictEqual(status._tag, "Ended", name)
      assert.strictEqual(Option.getOrUndefined(parent)?.spanId, root?.spanId, name)
    }
  })

  it.effect("is the current span of what happens inside", () =>
    Effect.gen(function* () {
      const { tracer } = collecting()

      const span = yield* Effect.withTracer(whereAmI(), tracer)

      assert.strictEqual(span?.name, "Test.whereAmI")
    })
  )

  it.effect("makes no span for a tracer that is off", () =>
    Effect.gen(function* () {
      const { tracer } = collecting()
      const untraced = Effect.provideService(whereAmI(), References.TracerEnabled, false)

      assert.isUndefined(yield* Effect.withTracer(untraced, tracer))
    })
  )

  it.effect("makes no span where no tracer was given", () =>
    Effect.gen(function* () {
      assert.isUndefined(yield* whereAmI())
    })
  )
})
