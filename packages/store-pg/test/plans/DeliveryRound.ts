/** What a busy service does with deliveries, one verb after the other, each for real. */
import { DispatcherId, EventId, newId } from "@runhook/core/shared/Ids"
import type { ReceiverMove } from "@runhook/core/deliveries/claim/Receiver"
import { testDelivery } from "@runhook/core/deliveries/TestDelivery"
import { roomFor } from "@runhook/core/deliveries/claim/ClaimRoom"
import { type ClaimedDelivery, DeliveryStore, type Settlement } from "@runhook/core/deliveries/DeliveryStore"
import { anyDelivery, attemptOf, lease } from "@runhook/store-testing/deliveries/DeliveryFixtures"
import { callbackUrl, second } from "@runhook/store-testing/Fixtures"
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { Samples } from "./Samples.ts"
import { type Asked, prepared, together, type Verb } from "./Verb.ts"

const at = second(2)

/** Receivers of the past, by first attempts and others: a claim looks at each, however little it takes. */
const stops = 8

const delivered = { status: 200, error: null }

export const deliveryRound = Effect.fnUntraced(function* ({ tenant }: Samples) {
  const store = yield* DeliveryStore
  const sql = yield* SqlClient
  const { accountId } = tenant
  const dispatcher = yield* newId(DispatcherId)
  let claimed: ReadonlyArray<ClaimedDelivery> = []

  const claim = store
    .claimDue({ dispatcher, room: roomFor(together), lease, at })
    .pipe(Effect.tap(({ deliveries }) => Effect.sync(() => (claimed = deliveries))))
  const settle = (verdict: Settlement["verdict"], move?: ReceiverMove) =>
    Effect.suspend(() =>
      store.settle(
        claimed.map(({ delivery }) => ({
          accountId: delivery.accountId,
          attempt: attemptOf(delivery, verdict._tag === "Delivered" ? delivered : {}),
          verdict,
          move
        })),
        at
      )
    )
  /** The breakers of all receivers in trouble. */
  const setBreakers = (openings: number) =>
    prepared(sql`UPDATE webhook_receivers SET openings = ${openings}::integer`)
  const queueTest = newId(EventId).pipe(
    Effect.map((id) => testDelivery({ ...tenant, id, url: callbackUrl, requestId: "req_test" })),
    Effect.flatMap((delivery) => store.enqueue(delivery))
  )
  const verb = (name: string, rows: number, run: Asked): Verb => ({ name, rows, run })
  const first = Effect.suspend(() => Effect.fromNullishOr(claimed[0])).pipe(
    Effect.map(({ delivery: { accountId: owner, id } }) => ({ accountId: owner, id }))
  )

  const verbs: ReadonlyArray<Verb> = [
    verb("beat of a dispatcher", together, store.beat(dispatcher)),
    verb("take of deliveries", together, claim),
    verb("settling what was delivered", together, settle({ _tag: "Delivered" })),
    verb("take of deliveries", together, claim),
    verb("settling what died", together, settle({ _tag: "Dead" })),
    verb(
      "replay",
      1,
      Effect.flatMap(first, (ref) => store.replay({ ...ref, at }))
    ),
    verb("take of deliveries", together, claim),
    verb("settling what is tried again", together, settle({ _tag: "Retry", nextAttemptAt: second(9) })),
    verb(
      "trying one now",
      1,
      Effect.flatMap(first, (ref) => store.tryNow({ ...ref, at }))
    ),
    verb(
      "reading one",
      1,
      Effect.flatMap(first, (ref) => store.get(ref.accountId, ref.id))
    ),
    verb("take of deliveries", together, claim),
    verb("giving back", together, store.giveBack({ dispatcher, which: { _tag: "AllBut", ids: [] }, at })),
    verb("take of deliveries", together, claim),
    verb("taking back", together, store.takeBack({ from: { _tag: "One", dispatcher }, at })),
    verb(
      "take of one delivery",
      stops,
      store
        .claimDue({ dispatcher, room: roomFor(1), lease, at })
        .pipe(Effect.tap(({ deliveries }) => Effect.sync(() => (claimed = deliveries))))
    ),
    verb("settling one", 1, settle({ _tag: "Delivered" })),
    verb("take of deliveries", together, claim),
    verb(
      "settling, and a pause of the receiver",
      together,
      settle({ _tag: "Delivered" }, { _tag: "Pause", until: second(2) })
    ),
    verb(
      "what some wait for",
      together,
      Effect.flatMap(
        store.list(accountId, { ...anyDelivery }, { after: null, limit: together }),
        ({ items }) => store.waits({ accountId, ids: items.map(({ id }) => id), at })
      )
    ),
    verb("a test", 1, queueTest),
    setBreakers(1),
    verb("a test of a receiver whose breaker is open", 1, queueTest),
    verb("a test behind another", 1, queueTest),
    setBreakers(0)
  ]
  return verbs
})
