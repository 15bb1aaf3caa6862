/** Stores what the core makes of deliveries, for those who judge them. */
import type { Step } from "@runhook/core/deliveries/steps/DeliverySteps"
import type { EventId } from "@runhook/core/shared/Ids"
import * as Context from "effect/Context"
import type * as DateTime from "effect/DateTime"
import type * as Effect from "effect/Effect"
import type * as Schema from "effect/Schema"
import type { SqlError } from "effect/sql/SqlError"

/** What happens to a step whose delivery is locked. */
export type GivingWay = "skips" | "waits"

export class DeliverySteps extends Context.Service<
  DeliverySteps,
  {
    /** Stores steps of one bucket whose deliveries are still as they were judged; answers which. */
    store(
      bucket: number,
      steps: ReadonlyArray<Step>,
      givingWay: GivingWay
    ): Effect.Effect<ReadonlySet<EventId>, SqlError | Schema.SchemaError>

    /** The database's time, as its answers said lately. */
    readonly now: { readonly current: DateTime.Utc | undefined }
  }
>()("@runhook/store-pg/deliveries/steps/DeliverySteps") {}
