/** Claims of deliveries look at about what they take. */
import { DeliveryStore, roomFor } from "@runhook/core/ports/DeliveryStore"
import { lease } from "@runhook/store-testing/DeliveryFixtures"
import { second } from "@runhook/store-testing/Fixtures"
import * as Effect from "effect/Effect"
import { limit, suite, type Verb } from "./FullTables.ts"

const makeVerbs = Effect.gen(function* () {
  const deliveries = yield* DeliveryStore
  const verbs: ReadonlyArray<Verb> = [
    { name: "claim", run: deliveries.claimDue({ room: roomFor(limit), lease, at: second(2) }) }
  ]
  return verbs
})

suite("claims of deliveries", makeVerbs)
