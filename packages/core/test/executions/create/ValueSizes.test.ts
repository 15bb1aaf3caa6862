import { assert, describe } from "@effect/vitest"
import { valueBytesMax } from "@runhook/core/shared/json/JsonBytes"
import { StoredJson } from "@runhook/core/shared/json/StoredJson"
import { Admission } from "@runhook/core/executions/create/Admission"
import { Inputs } from "@runhook/core/runs/Inputs"
import { Runs } from "@runhook/core/runs/Runs"
import { test } from "@runhook/test-support/engine/Test"
import { makeRunner, makeStartedRun, newQuestion } from "@runhook/test-support/engine/Runner"
import { makeTenant, newRequest } from "@runhook/test-support/engine/Tenant"
import * as Effect from "effect/Effect"

/** An object whose JSON has so many bytes, and fewer characters. */
const objectOf = (bytes: number) => ({ a: "ü".padEnd(bytes - `{"a":""}`.length - 1, "x") })

const largest = objectOf(valueBytesMax)
const tooLarge = objectOf(valueBytesMax + 1)
const rule = `must be at most ${valueBytesMax} bytes of JSON, is ${valueBytesMax + 1}`

const atWork = Effect.gen(function* () {
  const tenant = yield* makeTenant()
  const { execution, held } = yield* makeStartedRun(tenant, yield* makeRunner(tenant))
  return { execution, held }
})

describe("Values of hosts that have no HTTP before them", () => {
  test("are params of a mebibyte at most", function* () {
    const tenant = yield* makeTenant()
    const admission = yield* Admission
    const admit = (params: typeof largest) => admission.admit(tenant.caller, newRequest(tenant, { params }))

    const refusal = yield* Effect.flip(admit(tooLarge))

    assert.strictEqual(refusal.message, `params: ${rule}`)
    yield* admit(largest)
  })

  test("are results of a mebibyte at most, and the run may still end otherwise", function* () {
    const runs = yield* Runs
    const { held } = yield* atWork
    const finish = (result: typeof largest) =>
      runs.finish({ ...held, outcome: { _tag: "Completed", result: StoredJson.of(result) } })

    const refusal = yield* Effect.flip(finish(tooLarge))

    assert.strictEqual(refusal.message, `result: ${rule}`)
    const { run } = yield* finish(largest)
    assert.strictEqual(run.execution.status, "completed")
  })

  test("are answers of a mebibyte at most, and after one of that size no more questions", function* () {
    const inputs = yield* Inputs
    const runs = yield* Runs
    const { execution, held } = yield* atWork
    const { accountId, id } = execution
    const ask = (key: string) => runs.ask({ ...held, question: { ...newQuestion(), key, schema: {} } })
    const { input } = yield* ask("first")
    const answer = (value: typeof largest) => inputs.answer({ accountId, id, inputId: input.id, value })

    const refusal = yield* Effect.flip(answer(tooLarge))
    yield* answer(largest)
    const another = yield* Effect.flip(ask("second"))

    assert.strictEqual(refusal.message, `value: ${rule}`)
    assert.strictEqual(
      another.message,
      `input_key: is a question too many: those of an execution and their answers may have ${valueBytesMax} bytes`
    )
  })
})
