/** Outcomes of work as runners report them: alone, or many at once with a claim. */
import { RunnerCaller } from "@runhook/contract/Authorization"
import {
  type CompleteBody,
  OutcomeBody,
  type OutcomeAnswer,
  outcomeRefOf
} from "@runhook/contract/runs/OutcomeWire"
import { claimSizeMax } from "@runhook/contract/runs/RunnerWire"
import type { JsonObject } from "@runhook/core/shared/json/Json"
import type { JsonIssue } from "@runhook/core/shared/json/JsonText"
import { answerTo } from "@runhook/core/runs/EndMoves"
import { outcomeOf, type OutcomeReport } from "@runhook/core/runs/OutcomeReport"
import type { HeldRef } from "@runhook/core/runs/RunnerScope"
import type { Runs } from "@runhook/core/runs/Runs"
import * as Array from "effect/Array"
import type * as Cause from "effect/Cause"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { type ApiError, statusOf } from "../errors/ApiErrors.ts"
import { toApiError } from "../errors/ErrorTable.ts"
import { failedItem, type Item, itemsOf, readingAs, toldFaults } from "../shared/JudgedItems.ts"
import { saidLines } from "./RunnerFromWire.ts"

type Answer = typeof OutcomeAnswer.Type

/** Ends an attempt as its runner reports. Answers the status that follows, and how long until the next attempt. */
export const finishing = (runs: Runs["Service"]) =>
  Effect.fnUntraced(function* (
    held: HeldRef,
    { logs, ...report }: OutcomeReport & Pick<typeof CompleteBody.Type, "logs">
  ) {
    const outcome = yield* Effect.fromResult(outcomeOf(report))
    // The lease ends with the attempt, so these come first; lines that were stored before are skipped.
    if (logs !== undefined) yield* runs.log({ ...held, lines: saidLines(logs) })
    const { run } = yield* runs.finish({ ...held, outcome })
    const { retryIn, status } = answerTo(run)
    return { status, ...(retryIn !== null && { retry_in_ms: Math.max(0, Duration.toMillis(retryIn)) }) }
  })

/** The answer to an outcome, and the failure on our side if there was one. */
interface AnsweredOutcome {
  readonly place: number
  readonly answer: Answer
  readonly fault: Cause.Cause<never> | null
}

/**
 * Ends the attempts of a list. Each has its own answer, in the order of the list; several outcomes of one execution
 * are handled one after the other.
 */
export const reporting = (finish: ReturnType<typeof finishing>) => {
  const settle = Effect.fnUntraced(function* (item: Item) {
    const { epoch, execution_id: id, ...report } = yield* readOutcome(item)
    const answer = yield* finish({ key: yield* RunnerCaller, id, epoch }, report).pipe(toApiError)
    return { accepted: true, ...answer } as const
  })

  const answered = (item: Item) => {
    const { epoch, execution_id } = outcomeRefOf(item.body)
    return settle(item).pipe(
      Effect.catch(refused),
      Effect.map((answer) => ({ answer, fault: null })),
      Effect.catchCause(failed),
      Effect.map(({ answer, fault }): AnsweredOutcome => ({
        place: item.place,
        answer: { execution_id, epoch, ...answer },
        fault
      }))
    )
  }

  return Effect.fnUntraced(function* (bodies: ReadonlyArray<JsonObject>, issues: ReadonlyArray<JsonIssue>) {
    const items = itemsOf(bodies, issues)
    const inTurn = Object.values(Array.groupBy(items, ({ body }) => outcomeRefOf(body).execution_id))
    const told = (yield* Effect.forEach(inTurn, (each) => Effect.forEach(each, answered), {
      concurrency: claimSizeMax
    })).flat()
    const faults = told.flatMap(({ fault }) => fault ?? [])
    yield* toldFaults(faults, { count: told.length, message: "Outcomes not stored" })
    return told.toSorted((one, other) => one.place - other.place).map(({ answer }) => answer)
  })
}

/**
 * Whether a claim may wait for work: a claim with outcomes is answered at once,
 * unless all were accepted and there is room for more work.
 */
export const mayWait = (
  { free_slots }: { readonly free_slots: number },
  outcomes: ReadonlyArray<Answer>
): boolean => outcomes.length === 0 || (free_slots > 0 && outcomes.every(({ accepted }) => accepted))

const readOutcome = readingAs(OutcomeBody)

const refused = (error: ApiError) =>
  Effect.succeed({ accepted: false, http_status: statusOf(error), error: error.error } as const)

const failed = (fault: Cause.Cause<never>) =>
  Effect.map(failedItem(fault), ({ error, status }) => ({
    answer: { accepted: false, http_status: status, error } as const,
    fault
  }))
