/** How work ended, as runners report it: alone, or many at once along with a claim. */
import * as Api from "@runhook/contract/Errors"
import { RunnerCaller } from "@runhook/contract/Authorization"
import { CurrentRequestId } from "@runhook/contract/RequestId"
import { requestParsing } from "@runhook/contract/RequestParsing"
import { OutcomeBody, type OutcomeAnswer, outcomeRefOf } from "@runhook/contract/wire/OutcomeWire"
import { claimSizeMax } from "@runhook/contract/wire/RunnerWire"
import { answeredStatus } from "@runhook/core/domain/Finishing"
import type { JsonObject } from "@runhook/core/domain/Json"
import type { JsonIssue } from "@runhook/core/domain/JsonText"
import { outcomeOf, type OutcomeReport } from "@runhook/core/domain/OutcomeReport"
import type { HeldRef } from "@runhook/core/HeldWork"
import type { Runs } from "@runhook/core/Runs"
import * as Array from "effect/Array"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { errorBody } from "../ErrorAnswer.ts"
import { toApiError } from "../ErrorTable.ts"
import { problemOf } from "../FailureAnswer.ts"
import { ItemIssues } from "../RequestTextLayer.ts"
import { issuesIn, issuesOf, refusal } from "../SchemaIssues.ts"

type Answer = typeof OutcomeAnswer.Type

/** Ends an attempt as its runner reports. Answers the status that follows. */
export const finishing = (runs: Runs["Service"]) =>
  Effect.fnUntraced(function* (held: HeldRef, report: OutcomeReport) {
    const outcome = yield* Effect.fromResult(outcomeOf(report))
    const { run } = yield* runs.finish({ ...held, outcome })
    return answeredStatus(run)
  })

/** One outcome of a list, with what is wrong with the text of it. */
interface Item {
  readonly body: JsonObject
  readonly place: number
  readonly issues: ReadonlyArray<JsonIssue>
}

/**
 * Ends the attempts of a list. Each is answered by itself, in the order of the
 * list; what one execution is reported twice is taken in turn.
 */
export const reporting = (finish: ReturnType<typeof finishing>) => {
  const settle = Effect.fnUntraced(function* ({ body, issues }: Item) {
    if (issues.length > 0) return yield* refusal(400, issuesOf("body", issues))
    const read = readOutcome(body, requestParsing)
    if (Result.isFailure(read)) return yield* refusal(400, issuesIn("body", read.failure.issue))
    const { epoch, execution_id: id, ...report } = read.success
    const status = yield* finish({ key: yield* RunnerCaller, id, epoch }, report).pipe(toApiError)
    return { accepted: true, status } as const
  })

  const answered = (item: Item) => {
    const { epoch, execution_id } = outcomeRefOf(item.body)
    return settle(item).pipe(
      Effect.catch(refused),
      Effect.catchCause(failed),
      Effect.map((answer): readonly [number, Answer] => [item.place, { execution_id, epoch, ...answer }])
    )
  }

  return Effect.fnUntraced(function* (bodies: ReadonlyArray<JsonObject>) {
    const items = itemsOf(bodies, yield* ItemIssues)
    const inTurn = Object.values(Array.groupBy(items, ({ body }) => outcomeRefOf(body).execution_id))
    const answers = yield* Effect.forEach(inTurn, (each) => Effect.forEach(each, answered), {
      concurrency: claimSizeMax
    })
    return answers
      .flat()
      .toSorted(([one], [other]) => one - other)
      .map(([, answer]) => answer)
  })
}

/** Whether a claim may wait for work: who has something to tell is answered, unless all was taken and there is room for more. */
export const mayWait = (
  { free_slots }: { readonly free_slots: number },
  outcomes: ReadonlyArray<Answer>
): boolean => outcomes.length === 0 || (free_slots > 0 && outcomes.every(({ accepted }) => accepted))

const readOutcome = Schema.decodeUnknownResult(OutcomeBody)

/** The issues have paths in the body of the request: `outcomes`, the place of the item, and so on. */
const itemsOf = (bodies: ReadonlyArray<JsonObject>, issues: ReadonlyArray<JsonIssue>): ReadonlyArray<Item> =>
  bodies.map((body, place) => ({
    body,
    place,
    issues: issues.flatMap(({ message, path: [, item, ...path] }) =>
      item === String(place) ? [{ message, path }] : []
    )
  }))

const refused = (error: ApiError) =>
  Effect.succeed({ accepted: false, http_status: statusOf(error), error: error.error } as const)

/** What went wrong on our side with one of them must not keep the others from being told. */
const failed = Effect.fnUntraced(function* (cause: Cause.Cause<never>) {
  if (Cause.hasInterruptsOnly(cause)) return yield* Effect.failCause(cause)
  const requestId = yield* CurrentRequestId
  yield* Effect.logError("Outcome not stored", cause).pipe(Effect.annotateLogs({ request_id: requestId }))
  const problem = problemOf(cause.reasons.flatMap((reason) => (reason._tag === "Die" ? [reason.defect] : [])))
  const { error } = errorBody(problem, requestId)
  return {
    accepted: false,
    http_status: problem.status,
    error: { ...error, code: "internal_error" }
  } as const
})

const statuses = [
  { of: Api.InvalidRequest, status: 400 },
  { of: Api.NotFound, status: 404 },
  { of: Api.Conflict, status: 409 },
  { of: Api.Unprocessable, status: 422 },
  { of: Api.TooManyRequests, status: 429 }
] as const
type ApiError = InstanceType<(typeof statuses)[number]["of"]>

const statusOf = (error: ApiError): number => statuses.find(({ of }) => error instanceof of)?.status ?? 500
