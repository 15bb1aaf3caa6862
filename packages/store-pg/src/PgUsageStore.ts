/** What was counted, in PostgreSQL, and what goes on now. */
import { UsageStore } from "@runhook/core/ports/UsageStore"
import * as Effect from "effect/Effect"
import { flow } from "effect/Function"
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
