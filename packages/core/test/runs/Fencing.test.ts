import { createHash } from "node:crypto"
import { assert, describe } from "@effect/vitest"
import { Artifacts } from "@runhook/core/artifacts/Artifacts"
import { Executions } from "@runhook/core/executions/Executions"
import type { HeldRef } from "@runhook/core/runs/RunnerScope"
import { Runs } from "@runhook/core/runs/Runs"
import { test } from "@runhook/test-support/engine/Test"
import { makeClaimedRun, makeRunner, makeStartedRun, newQuestion } from "@runhook/test-support/engine/Runner"
import { current, makeKeyForAnotherAgent, makeTenant } from "@runhook/test-support/engine/Tenant"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"

interface RunnerWrite {
  readonly verb: string
  readonly write: (held: HeldRef) => Effect.Effect<unknown, { readonly _tag: string }, Artifacts | Runs>
}

const withRuns =
  (write: (runs: Runs["Service"], held: HeldRef) => Effect.Effect<unknown, { readonly _tag: string }>) =>
  (held: HeldRef) =>
    Effect.flatMap(Runs, (runs) => write(runs, held))

const capture = {
  kind: "download",
  fileName: "empty",
  contentType: "text/plain",
  sizeBytes: 0,
  sha256: createHash("sha256").digest("hex"),
  platformId: null,
  handler: null,
  startedOffsetMs: null
} as const

const register: RunnerWrite = {
  verb: "register an artifact",
  write: (held) => Effect.flatMap(Artifacts, (artifacts) => artifacts.register({ ...held, capture }))
}

const writesToRuns: ReadonlyArray<RunnerWrite> = [
  { verb: "start", write: withRuns((runs, held) => runs.start(held)) },
  {
    verb: "finish",
    write: withRuns((runs, held) => runs.finish({ ...held, outcome: { _tag: "Completed", result: null } }))
  },
  { verb: "give back", write: withRuns((runs, held) => runs.giveBack({ ...held, delay: Duration.zero })) },
  { verb: "ask", write: withRuns((runs, held) => runs.ask({ ...held, question: newQuestion() })) }
]

describe("A runner", () => {
  test.each([...writesToRuns, register])("cannot $verb under a stale epoch", function* ({ write }) {
    const tenant = yield* makeTenant()
    const { execution, held } = yield* makeClaimedRun(tenant, yield* makeRunner(tenant))
    const before = yield* current(execution)

    const error = yield* Effect.flip(write({ ...held, epoch: held.epoch - 1 }))

    assert.strictEqual(error._tag, "LeaseLost")
    assert.deepStrictEqual(yield* current(execution), before)
  })

  test.each([...writesToRuns, register])(
    "cannot $verb with a key that may not serve the agent",
    function* ({ write }) {
      const tenant = yield* makeTenant()
      const { held } = yield* makeClaimedRun(tenant, yield* makeRunner(tenant))
      const key = yield* makeKeyForAnotherAgent(tenant)

      const error = yield* Effect.flip(write({ ...held, key }))

      assert.strictEqual(error._tag, "ExecutionNotFound")
    }
  )

  test.each(writesToRuns)("cannot $verb once the execution was cancelled", function* ({ write }) {
    const tenant = yield* makeTenant()
    const { execution, held } = yield* makeStartedRun(tenant, yield* makeRunner(tenant))
    yield* (yield* Executions).stop({ ...execution, to: "aborted", reason: null })

    const error = yield* Effect.flip(write(held))

    assert.strictEqual(error._tag, "LeaseLost")
  })
})
