/** What was counted, in PostgreSQL, and what goes on now. */
import { UsageStore } from "@runhook/core/ports/UsageStore"
import * as Effect from "effect/Effect"
import { flow } from "effect/Function"
import * as Layer from "effect/Layer"
import { settled, settledRepeatable, settledUpkeep } from "../sql/SqlErrors.ts"
import { makeAdding } from "./AddCounts.ts"
import { makeUsageForgetting } from "./PruneCounts.ts"
import { makeReceiverList } from "./ListReceivers.ts"
import { makeStanding } from "./CurrentStanding.ts"
import { makeSums } from "./Sums.ts"

export const layer = Layer.effect(
  UsageStore,
  Effect.gen(function* () {
    const { add } = yield* makeAdding
    const { keyUsage, sums } = yield* makeSums
    const { keyLoad, standing } = yield* makeStanding
    const receivers = yield* makeReceiverList
    const forget = yield* makeUsageForgetting

    return UsageStore.of({
      add: flow(add, settled),
      sums: flow(sums, settledRepeatable),
      keyUsage: flow(keyUsage, settledRepeatable),
      keyLoad: flow(keyLoad, settledRepeatable),
      receivers: flow(receivers, settledRepeatable),
      standing: flow(standing, settledRepeatable),
      forget: flow(forget, settledUpkeep)
    })
  })
)
