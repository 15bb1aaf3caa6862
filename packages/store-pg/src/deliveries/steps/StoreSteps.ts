/** Stores steps of deliveries, account by account, by the function `move_deliveries`. */
import { destinationOf } from "@runhook/core/deliveries/Delivery"
import { failingBy, type Step } from "@runhook/core/deliveries/steps/DeliverySteps"
import { type AccountId, EventId } from "@runhook/core/shared/Ids"
import * as Array from "effect/Array"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Order from "effect/Order"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import { DatabaseNow } from "../../clock/DatabaseNow.ts"
import { type Call, databaseFunction } from "../../engine/DatabaseFunction.ts"
import { boolean, integer, json, smallint, text, timestamptz, uuid } from "../../sql/Parameters.ts"
import type { Columns } from "../../sql/Rows.ts"
import { exchangeText } from "../AttemptRow.ts"
import { firstAttemptText } from "../FirstAttempt.ts"
import { DeliverySteps, type GivingWay } from "./DeliverySteps.ts"

/** A step with the text of its attempt, if that is kept in the row of its delivery. */
interface StoredStep extends Step {
  readonly firstAttempt: string | null
}

interface Steps extends Call<StoredStep> {
  readonly accountId: AccountId
  readonly givingWay: GivingWay
}

/** Steps of one call: each is compared with each. */
const sizeMax = 64

/** Always the same order, so that two callers do not wait for each other. */
const byId = Order.mapInput(Order.String, ({ before }: Step) => before.id)

/** Dispatchers that may count for one replay job at once: calls spread by their first delivery. */
const parts = 16

const partOf = ([first]: ReadonlyArray<Step>): number =>
  Number.parseInt(first?.after.id.slice(-4) ?? "0", 16) % parts

const attemptOf = ({ firstAttempt, recorded }: StoredStep) => (firstAttempt === null ? recorded : undefined)

const endsReplay = ({ after, before }: Step): boolean =>
  after.replayId !== null && before.state === "pending" && after.state !== "pending"

const ofAttempt: Columns<StoredStep> = {
  number: integer((step) => attemptOf(step)?.attempt.number ?? null),
  started_at: timestamptz((step) => attemptOf(step)?.attempt.startedAt ?? null),
  duration_ms: integer((step) => attemptOf(step)?.attempt.durationMs ?? null),
  phase: text((step) => attemptOf(step)?.attempt.phase ?? null),
  status: integer((step) => attemptOf(step)?.attempt.status ?? null),
  error: text((step) => attemptOf(step)?.attempt.error ?? null),
  cause: text((step) => attemptOf(step)?.attempt.cause ?? null),
  remote_address: text((step) => attemptOf(step)?.attempt.remoteAddress ?? null),
  exchange: json((step) => {
    const recorded = attemptOf(step)
    return recorded === undefined ? null : exchangeText(recorded.attempt, recorded.sent)
  }),
  response_body: text((step) => attemptOf(step)?.attempt.responseBody ?? null),
  is_truncated: boolean((step) => attemptOf(step)?.attempt.isTruncated ?? null)
}

export const moveDeliveries = databaseFunction({
  name: "move_deliveries",
  parameters: {
    account_id: uuid(({ accountId }: Steps) => accountId),
    skips: boolean(({ givingWay }: Steps) => givingWay === "skips"),
    part: smallint(({ items }: Steps) => partOf(items))
  },
  columns: {
    id: uuid(({ before }: StoredStep) => before.id),
    state_before: text(({ before }: StoredStep) => before.state),
    round_before: integer(({ before }: StoredStep) => before.round),
    attempts_before: integer(({ before }: StoredStep) => before.attempts),
    due_before: timestamptz(({ before }: StoredStep) => before.nextAttemptAt),
    failing_before: text(({ before }: StoredStep) => failingBy(before)),
    state: text(({ after }: StoredStep) => after.state),
    round: integer(({ after }: StoredStep) => after.round),
    attempts: integer(({ after }: StoredStep) => after.attempts),
    attempted_at: timestamptz(({ after }: StoredStep) => after.attemptedAt),
    due_at: timestamptz(({ after }: StoredStep) => after.nextAttemptAt),
    expires_at: timestamptz(({ after }: StoredStep) => after.expiresAt),
    replay_id: uuid(({ after }: StoredStep) => after.replayId),
    settled_at: timestamptz(({ after }: StoredStep) => after.settledAt),
    last_status: integer(({ after }: StoredStep) => after.lastStatus),
    last_error: text(({ after }: StoredStep) => after.lastError),
    last_cause: text(({ after }: StoredStep) => after.lastCause),
    failing_by: text(({ after }: StoredStep) => failingBy(after)),
    first_attempt: json(({ firstAttempt }: StoredStep) => firstAttempt),
    origin: text(({ before }: StoredStep) => destinationOf(before.url)),
    type: text(({ after, before }: StoredStep) => (after.state === "dead" ? before.type : null)),
    dispatcher_id: uuid(({ dispatcher }: StoredStep) => dispatcher),
    is_tried: boolean(({ isTried }: StoredStep) => isTried),
    ...ofAttempt,
    ended_replay_id: uuid((step: StoredStep) => (endsReplay(step) ? step.after.replayId : null)),
    openings: integer(({ receiver }: StoredStep) => receiver?.before.openings ?? null),
    held_before: timestamptz(({ receiver }: StoredStep) => receiver?.before.heldUntil ?? null),
    held_until: timestamptz(({ receiver }: StoredStep) => receiver?.after.heldUntil ?? null)
  },
  answer: Schema.Struct({ id: EventId, now: Schema.Finite })
})

export const layer = Layer.effect(
  DeliverySteps,
  Effect.gen(function* () {
    const sql = yield* SqlClient
    /** The database's time, as its answers said. */
    const now = new DatabaseNow()

    const storeSome = Effect.fnUntraced(function* (
      bucket: number,
      steps: Array.NonEmptyReadonlyArray<Step>,
      givingWay: GivingWay
    ) {
      const items = steps.map((step) => ({
        ...step,
        firstAttempt: step.recorded ? firstAttemptText(step.recorded) : null
      }))
      const [{ before }] = steps
      const rows = yield* moveDeliveries.call(sql, { bucket, accountId: before.accountId, givingWay, items })
      const [first] = rows
      if (first !== undefined) now.note(first.now)
      return rows.map(({ id }) => id)
    })

    const store = (bucket: number, steps: ReadonlyArray<Step>, givingWay: GivingWay) => {
      const ofAccounts = Object.values(
        Array.groupBy(Array.sort(steps, byId), ({ before }) => before.accountId)
      )
      return Effect.forEach(
        ofAccounts.flatMap((some) => Array.chunksOf(some, sizeMax)),
        (some) => storeSome(bucket, some, givingWay)
      ).pipe(Effect.map((ids): ReadonlySet<EventId> => new Set(ids.flat())))
    }

    return DeliverySteps.of({ now, store })
  })
)
