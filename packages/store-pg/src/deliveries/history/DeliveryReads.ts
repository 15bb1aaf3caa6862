/** Deliveries as people read them. */
import type { AccountId, EventId } from "@runhook/core/shared/Ids"
import type { DeliveryStore } from "@runhook/core/deliveries/DeliveryStore"
import * as Context from "effect/Context"
import type * as DateTime from "effect/DateTime"
import type * as Effect from "effect/Effect"
import type * as Schema from "effect/Schema"
import type { SqlError } from "effect/sql/SqlError"

export class DeliveryReads extends Context.Service<
  DeliveryReads,
  Pick<DeliveryStore["Service"], "deadLetters" | "get" | "list" | "waits"> & {
    /** What pending ones among these deliveries wait for, in the caller's transaction. */
    standings(asked: {
      readonly accountId: AccountId
      readonly ids: ReadonlyArray<EventId>
      readonly at: DateTime.Utc
    }): Effect.Effect<
      ReadonlyArray<{ readonly hasEarlier: boolean; readonly isAttempted: boolean }>,
      SqlError | Schema.SchemaError
    >
  }
>()("@runhook/store-pg/deliveries/history/DeliveryReads") {}
