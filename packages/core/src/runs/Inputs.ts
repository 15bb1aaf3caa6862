/** What callers do with the questions of running work. */
import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { inputAnswered } from "../audit/ActivityEvents.ts"
import type { Execution } from "../executions/Execution.ts"
import type { InputId } from "../shared/Ids.ts"
import type { Json } from "../shared/json/Json.ts"
import { jsonBytes, sizeRule } from "../shared/json/JsonBytes.ts"
import { checkScope } from "../keys/KeyScope.ts"
import { InvalidField } from "../shared/Refusals.ts"
import { answer as answerMove } from "./InputMoves.ts"
import { ExecutionStore } from "../executions/ExecutionStore.ts"
import { ParamsValidator } from "../executions/params/ParamsValidator.ts"
import { RunStore } from "./RunStore.ts"
import { makeAnnounce } from "../signals/ChangeSignals.ts"
import type { ChangedExecution, ExecutionRef } from "../executions/Executions.ts"
import { intervention } from "../audit/Audited.ts"
import { useCase } from "../engine/UseCase.ts"

export class Inputs extends Context.Service<Inputs>()("@runhook/core/runs/Inputs", {
  make: Effect.gen(function* () {
    const store = yield* ExecutionStore
    const runs = yield* RunStore
    const validator = yield* ParamsValidator
    const announce = yield* makeAnnounce

    /** The questions the execution asked, oldest first. */
    const list = ({ accountId, id }: ExecutionRef) => store.inputs(accountId, id)

    /** Answers a question with a value that satisfies its schema. An equal answer again changes nothing. */
    const answer = useCase("Inputs.answer")(function* ({
      accountId,
      id,
      inputId,
      scope,
      value
    }: ChangedExecution & { readonly inputId: InputId; readonly value: Json }) {
      const rule = sizeRule(jsonBytes(value))
      if (rule !== undefined) return yield* new InvalidField({ path: ["value"], rule })
      const run = yield* runs.get({ accountId, id })
      yield* Effect.fromResult(checkScope({ scope }, run.execution))
      // First try the move: a closed question is not worth the cost of its schema.
      const seen = yield* Effect.fromResult(answerMove(run, { inputId, value, at: yield* DateTime.now }))
      const schema = run.inputs.find((each) => each.id === inputId)?.schema
      if (seen.changed && schema !== undefined) {
        yield* validator.validate({ accountId, key: inputId, what: "answer", schema, value })
      }
      const audit = yield* intervention((moved: Execution) => inputAnswered(moved, inputId))
      const at = yield* DateTime.now
      const change = yield* store.answer({ accountId, id, scope, inputId, value, at, audit })
      yield* announce([change])
      return change.run.execution
    })

    return { list, answer }
  })
}) {
  static readonly layer = Layer.effect(Inputs, Inputs.make)
}
