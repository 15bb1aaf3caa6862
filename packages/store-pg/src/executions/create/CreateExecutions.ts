/** The function in the database that creates executions, with their requests, queue entries and callbacks. */
import { deliveryLifetime } from "@runhook/core/deliveries/Delivery"
import { ExecutionId } from "@runhook/core/shared/Ids"
import { accepted } from "@runhook/core/runs/Run"
import type * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Schema from "effect/Schema"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Clock } from "../../clock/StoreClock.ts"
import type { Places } from "../../deliveries/queue/HandOver.ts"
import { databaseFunction } from "../../engine/DatabaseFunction.ts"
import { float8, integer, timestamptz } from "../../sql/Parameters.ts"
import type { InBucket } from "../../sql/Statement.ts"
import type { Creation } from "./Creates.ts"
import { columns, type Item } from "./Creation.ts"
import { takenBy, type WorkPlaces } from "./TakenAtOnce.ts"

/** What has become of a creation. */
const CreatedRow = Schema.Struct({
  id: ExecutionId,
  /** Null when it was made. `known`: its idempotency key was used before. */
  refusedBy: Schema.NullOr(Schema.Literals(["account", "key", "known", "removed"])),
  /** When its event was begun by the place that was kept for it; null when it was not. */
  begunAt: Schema.NullOr(Schema.DateTimeUtc),
  /** When a poll has got it, and its slot; null when it waits in the queue. */
  takenAt: Schema.NullOr(Schema.DateTimeUtc),
  slot: Schema.NullOr(Schema.Int),
  /** Whether endpoints are yet to be told of it. */
  hasListeners: Schema.Boolean
})

export type CreatedRow = typeof CreatedRow.Type

/** What is to be stored together. */
export interface Creating extends InBucket {
  readonly creations: ReadonlyArray<Creation>
  readonly places: Places<Creation>
  readonly work: WorkPlaces
}

interface Call extends InBucket {
  /** The store's now; null where the database's clock counts. */
  readonly at: DateTime.Utc | null
  readonly items: ReadonlyArray<Item>
}

/** Below it no limit is near. */
const limitOf = ({ items }: Call): number =>
  Math.min(...items.map(({ accountMaxLive, keyMaxLive }) => Math.min(accountMaxLive, keyMaxLive ?? Infinity)))

export const createExecutions = databaseFunction({
  name: "create_executions",
  parameters: {
    now: timestamptz(({ at }: Call) => at),
    limit: integer(limitOf),
    delivery_millis: float8<Call>(() => Duration.toMillis(deliveryLifetime))
  },
  columns,
  answer: CreatedRow
})

/** In tests callers have clocks of their own, and those that are stored together have the same. */
const nowOf = (clock: Clock, creations: ReadonlyArray<Creation>): DateTime.Utc | null => {
  if (clock === "database") return null
  return clock === "caller" ? (creations[0]?.execution.createdAt ?? null) : clock.now()
}

/** Creates executions of one bucket: those that are within the limits and no duplicates. No two have the same idempotency key. */
export const makeCreateExecutions =
  (clock: Clock) =>
  (sql: SqlClient, { bucket, creations, places, work }: Creating) =>
    createExecutions.call(sql, {
      bucket,
      at: nowOf(clock, creations),
      items: creations.map((creation): Item => {
        const poll = work.get(creation)
        return {
          ...creation,
          change: accepted(creation.execution),
          place: places.get(creation),
          taken: poll && takenBy(creation, poll, creation.execution.createdAt).run
        }
      })
    })
