/** Lists in a body whose items are judged and answered one by one. */
import { CurrentRequestId } from "@runhook/contract/RequestId"
import { requestParsing } from "@runhook/contract/RequestRules"
import type { JsonObject } from "@runhook/core/shared/json/Json"
import type { JsonIssue } from "@runhook/core/shared/json/JsonText"
import { isStoreAway } from "@runhook/core/engine/StoreUnavailable"
import * as Array from "effect/Array"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { errorBody } from "../errors/ErrorAnswer.ts"
import { problemOf } from "../errors/FailureAnswer.ts"
import { issuesIn, issuesOf, refusal } from "../errors/SchemaIssues.ts"

/** One item of a list, with what is wrong in its text. */
export interface Item {
  readonly body: JsonObject
  readonly place: number
  readonly issues: ReadonlyArray<JsonIssue>
}

/** The items of a list. The issues have paths in the body of the request: the list, the index of the item, and so on. */
export const itemsOf = (
  bodies: ReadonlyArray<JsonObject>,
  issues: ReadonlyArray<JsonIssue>
): ReadonlyArray<Item> => {
  const byPlace = Array.groupBy(issues, ({ path: [, place = ""] }) => place)
  return bodies.map((body, place) => ({
    body,
    place,
    issues: (byPlace[place] ?? []).map(({ message, path: [, , ...path] }) => ({ message, path }))
  }))
}

/** Reads an item as its schema has it. Fails with a 422 that names the broken rules, as a body of its own would. */
export const readingAs = <A>(body: Schema.Codec<A, unknown>) => {
  const read = Schema.decodeUnknownResult(body, requestParsing)
  return Effect.fnUntraced(function* (item: Item) {
    if (item.issues.length > 0) return yield* refusal(422, issuesOf("body", item.issues))
    const found = read(item.body)
    return Result.isFailure(found)
      ? yield* refusal(422, issuesIn("body", found.failure.issue))
      : found.success
  })
}

/** What an item is answered with on a failure of ours, which must not keep the others from their answers. */
export const failedItem = Effect.fnUntraced(function* (fault: Cause.Cause<never>) {
  if (Cause.hasInterruptsOnly(fault)) return yield* Effect.failCause(fault)
  const problem = problemOf(fault)
  const { error } = errorBody(problem, yield* CurrentRequestId)
  return { status: problem.status, error: { ...error, code: "internal_error" }, fault } as const
})

/** Logs the failures of a list. Fails with the first if that is all there is, because the store is away. */
export const toldFaults = Effect.fnUntraced(function* (
  faults: ReadonlyArray<Cause.Cause<never>>,
  { count, message }: { readonly count: number; readonly message: string }
) {
  const [first] = faults
  if (first === undefined) return
  if (faults.length === count && faults.every(isStoreAway)) return yield* Effect.failCause(first)
  const about = { request_id: yield* CurrentRequestId, items: faults.length }
  yield* Effect.logError(message, first).pipe(Effect.annotateLogs(about))
})
