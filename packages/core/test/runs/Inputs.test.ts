import { assert, describe } from "@effect/vitest"
import { Inputs } from "@runhook/core/runs/Inputs"
import { type Question, Runs } from "@runhook/core/runs/Runs"
import { second } from "@runhook/store-testing/Fixtures"
import { test } from "@runhook/test-support/engine/Test"
import { makeRunner, makeStartedRun, newQuestion } from "@runhook/test-support/engine/Runner"
import { current, makeTenant } from "@runhook/test-support/engine/Tenant"
import * as Effect from "effect/Effect"
import { TestClock } from "effect/testing"

/** A started execution. */
const makeRun = Effect.fnUntraced(function* () {
  const tenant = yield* makeTenant()
  return yield* makeStartedRun(tenant, yield* makeRunner(tenant))
})

/** An execution that has asked a question, with the name to answer it under. */
const makeAskingRun = Effect.fnUntraced(function* (fields: Partial<Question> = {}) {
  const { execution, held } = yield* makeRun()
  const { input } = yield* (yield* Runs).ask({ ...held, question: newQuestion(fields) })
  return { execution, held, input, ref: { ...execution, inputId: input.id } }
})

describe("Runs.ask", () => {
  test("shows the question to callers until its time is up", function* () {
    const { execution, input } = yield* makeAskingRun()

    assert.deepInclude(input, { key: "code", askedAt: second(0), expiresAt: second(60) })
    assert.deepInclude(yield* current(execution), { status: "awaiting_input", inputRequest: input })
    assert.deepStrictEqual(yield* (yield* Inputs).list(execution), [input])
  })

  test("finds the same question under the same key", function* () {
    const { held, input } = yield* makeAskingRun()
    yield* TestClock.adjust("5 seconds")

    const again = yield* (yield* Runs).ask({ ...held, question: newQuestion() })

    assert.isFalse(again.change.changed)
    assert.deepStrictEqual(again.input, input)
  })

  test("finds the answer under the same key once there is one", function* () {
    const { held, ref } = yield* makeAskingRun()
    yield* (yield* Inputs).answer({ ...ref, value: "1234" })

    const { input } = yield* (yield* Runs).ask({ ...held, question: newQuestion() })

    assert.strictEqual(input.value, "1234")
  })

  test("refuses a default that breaks the schema of the answer", function* () {
    const { execution, held } = yield* makeRun()
    const question = newQuestion({ onTimeout: "default", defaultValue: 7 })

    const error = yield* Effect.flip((yield* Runs).ask({ ...held, question }))

    assert.strictEqual(error._tag, "InvalidParams")
    assert.include(error.message, "The default does not")
    assert.strictEqual((yield* current(execution)).status, "running")
  })

  test("refuses a schema that cannot be used", function* () {
    const { held } = yield* makeRun()
    const question = newQuestion({ schema: { type: "word" } })

    const error = yield* Effect.flip((yield* Runs).ask({ ...held, question }))

    assert.strictEqual(error._tag, "InvalidSchema")
  })
})

describe("Runs.ask, before it looks at the schema", () => {
  const question = newQuestion({ schema: { type: "word" } })

  test("looks whether the execution is held", function* () {
    const { held } = yield* makeRun()

    const stale = yield* Effect.flip((yield* Runs).ask({ ...held, epoch: held.epoch - 1, question }))

    assert.strictEqual(stale._tag, "LeaseLost")
  })

  test("looks whether the work may ask", function* () {
    const { held } = yield* makeAskingRun({ key: "first" })

    const error = yield* Effect.flip((yield* Runs).ask({ ...held, question }))

    assert.deepInclude(error, { _tag: "IllegalTransition", from: "awaiting_input" })
  })

  test("looks whether it was asked before", function* () {
    const { held, input } = yield* makeAskingRun()

    const again = yield* (yield* Runs).ask({ ...held, question })

    assert.deepStrictEqual(again.input, input)
  })
})

describe("Inputs.answer", () => {
  test("looks whether the question is open before the value", function* () {
    const { ref } = yield* makeAskingRun()
    yield* (yield* Inputs).answer({ ...ref, value: "1234" })

    const error = yield* Effect.flip((yield* Inputs).answer({ ...ref, value: 1234 }))

    assert.deepInclude(error, { _tag: "InputClosed", reason: "already_answered" })
  })

  test.each([
    { mode: "hold", status: "running" },
    { mode: "release", status: "queued" }
  ] as const)("lets work in $mode mode go on as $status", function* ({ mode, status }) {
    const { execution, ref } = yield* makeAskingRun({ mode })

    const answered = yield* (yield* Inputs).answer({ ...ref, value: "1234" })

    assert.deepInclude(answered, { status, inputRequest: null })
    assert.deepStrictEqual(answered, yield* current(execution))
  })

  test("refuses a value that breaks the schema of the question", function* () {
    const { execution, ref } = yield* makeAskingRun()

    const error = yield* Effect.flip((yield* Inputs).answer({ ...ref, value: 1234 }))

    assert.strictEqual(error._tag, "InvalidParams")
    assert.include(error.message, "The answer does not")
    assert.strictEqual((yield* current(execution)).status, "awaiting_input")
  })

  test("takes an equal answer again, and no other", function* () {
    const inputs = yield* Inputs
    const { ref } = yield* makeAskingRun()
    yield* inputs.answer({ ...ref, value: "1234" })
    yield* inputs.answer({ ...ref, value: "1234" })

    const error = yield* Effect.flip(inputs.answer({ ...ref, value: "4321" }))

    assert.deepInclude(error, { _tag: "InputClosed", reason: "already_answered" })
  })

  test("is won by one of two that differ, at once", function* () {
    const inputs = yield* Inputs
    const { execution, ref } = yield* makeAskingRun()
    const answers = ["1234", "4321"].map((value) => Effect.exit(inputs.answer({ ...ref, value })))

    const exits = yield* Effect.all(answers, { concurrency: "unbounded" })

    assert.deepStrictEqual(exits.map(({ _tag }) => _tag).toSorted(), ["Failure", "Success"])
    assert.strictEqual((yield* inputs.list(execution)).length, 1)
  })

  test("finds no question that was asked by another execution", function* () {
    const { input } = yield* makeAskingRun()
    const { execution } = yield* makeAskingRun()

    const error = yield* Effect.flip(
      (yield* Inputs).answer({ ...execution, inputId: input.id, value: "1234" })
    )

    assert.strictEqual(error._tag, "InputNotFound")
  })
})
