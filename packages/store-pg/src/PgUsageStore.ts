/** What was counted, in PostgreSQL, and what goes on now. */
import { UsageStore } from "@runhook/core/ports/UsageStore"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { settled, settledRepeatable, settledUpkeep } from "./Outcomes.ts"
import { makeAdding } from "./usage/Adding.ts"
import { makeUsageForgetting } from "./usage/Forgetting.ts"
import { makeReceiverList } from "./usage/ReceiverList.ts"
import { makeStanding } from "./usage/Standing.ts"
import { makeSums } from "./usage/Sums.ts"

export const layer = Layer.effect(
  UsageStore,
  Effect.gen(function* () {
    const { add } = yield* makeAdding
    const { keyUsage, sums } = yield* makeSums
    const { keyLoad, standing } = yield* makeStanding
    const receivers = yield* makeReceiverList
    const forget = yield* makeUsageForgetting

    return UsageStore.of({
      add: Effect.fn("PgUsageStore.add")(add, settled),
      sums: Effect.fn("PgUsageStore.sums")(sums, settledRepeatable),
      keyUsage: Effect.fn("PgUsageStore.keyUsage")(keyUsage, settledRepeatable),
      keyLoad: Effect.fn("PgUsageStore.keyLoad")(keyLoad, settledRepeatable),
      receivers: Effect.fn("PgUsageStore.receivers")(receivers, settledRepeatable),
      standing: Effect.fn("PgUsageStore.standing")(standing, settledRepeatable),
      forget: Effect.fn("PgUsageStore.forget")(forget, settledUpkeep)
    })
  })
)
