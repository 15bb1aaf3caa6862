/** What callers do with the questions of running work. */
import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { CurrentActor } from "../domain/account/Actor.ts"
import { inputAnswered } from "../domain/audit/ActivityEvents.ts"
import type { Execution } from "../domain/execution/Execution.ts"
import type { InputId } from "../domain/Ids.ts"
import type { Json } from "../domain/json/Json.ts"
import { jsonBytes, sizeRule } from "../domain/json/JsonBytes.ts"
import { InvalidField } from "../domain/Refusals.ts"
import { answer as answerMove, type InputClosed, type InputNotFound } from "../domain/run/InputMoves.ts"
import type { InputRequest } from "../domain/run/InputRequest.ts"
import { type ExecutionNotFound, ExecutionStore } from "../ports/ExecutionStore.ts"
import { type InvalidParams, ParamsValidator, type TooManyChecks } from "../ports/ParamsValidator.ts"
import { RunStore } from "../ports/RunStore.ts"
import { makeAnnounce } from "../runtime/ChangeSignals.ts"
import type { ExecutionRef } from "./Executions.ts"
import { intervention } from "./Audited.ts"
import { useCase } from "./UseCase.ts"

type Verbs = Inputs["Service"]

export class Inputs extends Context.Service<
  Inputs,
  {
    /** The questions the execution asked, oldest first. */
    list(ref: ExecutionRef): Effect.Effect<ReadonlyArray<InputRequest>, ExecutionNotFound>

    /** Answers a question with a value that satisfies its schema. An equal answer again changes nothing. */
    answer(
      options: ExecutionRef & { readonly inputId: InputId; readonly value: Json }
    ): Effect.Effect<
      Execution,
      ExecutionNotFound | InputClosed | InputNotFound | InvalidField | InvalidParams | TooManyChecks,
      CurrentActor
    >
  }
>()("@runhook/core/usecases/Inputs") {
  static readonly layer = Layer.effect(
    Inputs,
    Effect.gen(function* () {
      const store = yield* ExecutionStore
      const runs = yield* RunStore
      const validator = yield* ParamsValidator
      const announce = yield* makeAnnounce

      const list: Verbs["list"] = ({ accountId, id }) => store.inputs(accountId, id)

      const answer: Verbs["answer"] = useCase("Inputs.answer")(function* ({ accountId, id, inputId, value }) {
        const rule = sizeRule(jsonBytes(value))
        if (rule !== undefined) return yield* new InvalidField({ path: ["value"], rule })
        const run = yield* runs.get({ accountId, id })
        // First try the move: a closed question is not worth the cost of its schema.
        const seen = yield* Effect.fromResult(answerMove(run, { inputId, value, at: yield* DateTime.now }))
        const schema = run.inputs.find((each) => each.id === inputId)?.schema
        if (seen.changed && schema !== undefined) {
          yield* validator.validate({ accountId, key: inputId, schema, value })
        }
        const audit = yield* intervention((moved: Execution) => inputAnswered(moved, inputId))
        const at = yield* DateTime.now
        const change = yield* store.answer({ accountId, id, inputId, value, at, audit })
        yield* announce([change])
        return change.run.execution
      })

      return Inputs.of({ list, answer })
    })
  )
}
