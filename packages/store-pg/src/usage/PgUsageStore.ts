/** Usage counts and the current standing of accounts, in PostgreSQL. */
import { UsageStore } from "@runhook/core/usage/UsageStore"
import * as Effect from "effect/Effect"
import { flow } from "effect/Function"
import * as Layer from "effect/Layer"
import { idempotentOrDefect } from "../sql/SqlErrors.ts"
import { makeAddCounts } from "./AddCounts.ts"
import { makeCurrentStanding } from "./CurrentStanding.ts"
import { makeListReceivers } from "./ListReceivers.ts"
import { makeServiceStanding } from "./ServiceStanding.ts"
import { makeSums } from "./Sums.ts"

export const layer = Layer.effect(
  UsageStore,
  Effect.gen(function* () {
    const add = yield* makeAddCounts
    const { keyUsage, sums } = yield* makeSums
    const { keyLoad, standing } = yield* makeCurrentStanding
    const receivers = yield* makeListReceivers
    const serviceStanding = yield* makeServiceStanding

    return UsageStore.of({
      add,
      sums: flow(sums, idempotentOrDefect),
      keyUsage: flow(keyUsage, idempotentOrDefect),
      keyLoad: flow(keyLoad, idempotentOrDefect),
      receivers: flow(receivers, idempotentOrDefect),
      standing: flow(standing, idempotentOrDefect),
      serviceStanding: flow(serviceStanding, idempotentOrDefect)
    })
  })
)
