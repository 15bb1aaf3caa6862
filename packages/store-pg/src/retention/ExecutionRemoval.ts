/** Removes executions, for those who need not know what belongs to one. */
import type { DeliveryState } from "@runhook/core/deliveries/Delivery"
import type { AccountId, ExecutionId } from "@runhook/core/shared/Ids"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Schema from "effect/Schema"
import type { SqlError } from "effect/sql/SqlError"

export class ExecutionRemoval extends Context.Service<
  ExecutionRemoval,
  {
    /**
     * Removes, of executions of an account that have ended and are locked, those that await no callback; answers
     * which. Runs in a transaction of the caller, which has locked nothing else yet.
     */
    remove(options: {
      readonly bucket: number
      readonly accountId: AccountId
      readonly ids: ReadonlyArray<ExecutionId>
      /** In which states all of its callbacks have to be. */
      readonly settled: ReadonlyArray<DeliveryState>
    }): Effect.Effect<ReadonlyArray<ExecutionId>, SqlError | Schema.SchemaError>
  }
>()("@runhook/store-pg/retention/ExecutionRemoval") {}
