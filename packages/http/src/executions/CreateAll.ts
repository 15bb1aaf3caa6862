/** Queues the executions of one request: each is counted, judged and answered by itself, and they are stored together. */
import { CurrentRequestId } from "@runhook/contract/RequestId"
import { BatchItemBody, type BatchItemAnswer } from "@runhook/contract/executions/BatchWire"
import type { JsonObject } from "@runhook/core/shared/json/Json"
import { createInOrder } from "@runhook/core/executions/create/InOrder"
import type { CreateCall, Queued } from "@runhook/core/executions/create/ExecutionCreates"
import type { Executions } from "@runhook/core/executions/Executions"
import * as Arr from "effect/Array"
import type * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { callerWith } from "../authentication/CurrentCaller.ts"
import { type ApiError, statusOf } from "../errors/ApiErrors.ts"
import { toCreateError } from "../errors/ErrorTable.ts"
import type { LoopTurns } from "../limits/LoopTurns.ts"
import type { Allowed } from "../limits/RateLimited.ts"
import { CurrentCall } from "../pipeline/Call.ts"
import { failedItem, type Item, itemsOf, readingAs, toldFaults } from "../shared/JudgedItems.ts"
import { createExecution } from "./CreateFromWire.ts"
import { queued } from "./ExecutionToWire.ts"

/**
 * Executions that are stored at once. All of a request at once would take no less of the database for each, and others
 * of the account's bucket would wait for them.
 */
const storedAtOnce = 64

type Answer = typeof BatchItemAnswer.Type

interface AnsweredItem {
  readonly answer: Omit<Answer, "index">
  /** The failure on our side if there was one. */
  readonly fault: Cause.Cause<never> | null
}

/** What the items of one request have in common. */
interface Common extends Pick<CreateCall, "caller" | "requestId" | "traceparent"> {
  readonly allowed: Allowed
}

const readItem = readingAs(BatchItemBody)

export const creatingAll = (executions: Executions["Service"], turns: LoopTurns) => {
  /** Admits an item in a turn of the event loop. The answer of the effect stores it, unless it is refused. */
  const admitted = Effect.fnUntraced(function* (item: Item, { allowed, ...common }: Common) {
    yield* turns.next(common.caller.accountId)
    const tooMany = allowed.refusals[item.place - allowed.count]
    if (tooMany !== undefined) return { isRefusable: false, create: tooMany }
    const read = yield* Effect.result(readItem(item))
    if (Result.isFailure(read)) return { isRefusable: false, create: Effect.fail(read.failure) }
    const { idempotency_key: idempotencyKey, ...body } = read.success
    const { create, isRefusable } = yield* executions.admit({
      ...common,
      request: createExecution(body),
      idempotencyKey
    })
    return { isRefusable, create: toCreateError(create) }
  })

  const answered = <R>(storing: Effect.Effect<Queued, ApiError, R>, request_id: string) =>
    storing.pipe(
      Effect.match({
        onSuccess: (stored) => ({
          status: stored.isDuplicate ? 200 : 201,
          execution: { ...queued(stored), request_id }
        }),
        onFailure: (error) => ({ status: statusOf(error), error: error.error })
      }),
      Effect.map((answer): AnsweredItem => ({ answer, fault: null })),
      Effect.catchCause((cause) =>
        Effect.map(failedItem(cause), ({ fault, ...answer }): AnsweredItem => ({ answer, fault }))
      )
    )

  return Effect.fnUntraced(function* (bodies: ReadonlyArray<JsonObject>, traceparent: string | null) {
    const caller = yield* callerWith("executions:write")
    const requestId = yield* CurrentRequestId
    const call = yield* CurrentCall
    const common = { caller, requestId, traceparent, allowed: call.items(call, bodies.length) }
    const told = new Array<AnsweredItem>()
    for (const items of Arr.chunksOf(itemsOf(bodies, call.itemIssues), storedAtOnce)) {
      const storing = yield* Effect.forEach(items, (item) => admitted(item, common))
      told.push(
        ...(yield* createInOrder(
          storing.map(({ create, isRefusable }) => ({ isRefusable, create: answered(create, requestId) }))
        ))
      )
    }
    yield* toldFaults(
      told.flatMap(({ fault }) => fault ?? []),
      { count: told.length, message: "Executions not stored" }
    )
    return told.map(({ answer }, index): Answer => ({ index, ...answer }))
  })
}
