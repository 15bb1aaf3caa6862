/** Deliveries and their attempts, for tests. */
import { type Delivery, type DeliveryAttempt, newDelivery } from "@runhook/core/deliveries/Delivery"
import { type AccountId, type ApiKeyId, type DispatcherId, EventId } from "@runhook/core/shared/Ids"
import { type ClaimRoom, roomFor } from "@runhook/core/deliveries/claim/ClaimRoom"
import { type DeliveryFilter, DeliveryStore } from "@runhook/core/deliveries/DeliveryStore"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { makeAccount, makeApiKey } from "../catalog/CatalogFixtures.ts"
import { idAt, second } from "../Fixtures.ts"

export const anyDelivery: DeliveryFilter = {
  states: null,
  type: null,
  apiKeyId: null,
  endpointId: null,
  executionId: null,
  answer: null,
  cause: null,
  origin: null,
  text: null,
  from: null,
  to: null
}

/** How long a claimed delivery may stay unsettled. */
export const lease = Duration.seconds(45)

/** Who a delivery belongs to. */
export interface Sender {
  readonly accountId: AccountId
  readonly apiKeyId: ApiKeyId
}

/** An account of its own with a key. */
export const makeSender = Effect.fnUntraced(function* () {
  const { id: accountId } = yield* makeAccount()
  const { id: apiKeyId } = yield* makeApiKey(accountId)
  return { accountId, apiKeyId } satisfies Sender
})

/** A stored delivery, due since second 0 unless told otherwise. */
export const makeDelivery = Effect.fnUntraced(function* (
  { accountId, apiKeyId }: Sender,
  { createdAt = second(0), ...fields }: Partial<Delivery> = {}
) {
  const store = yield* DeliveryStore
  const id = yield* idAt(EventId, createdAt)
  const subject = {
    id,
    accountId,
    apiKeyId,
    executionId: null,
    revision: null,
    type: "execution.completed",
    url: "https://receiver.example/hook",
    requestId: "req_test",
    reference: null,
    body: `{"event_id":"${id}"}`
  } as const
  const delivery: Delivery = { ...newDelivery(subject, createdAt), ...fields }
  yield* store.enqueue(delivery)
  return delivery
})

/** Claims once, and answers what of it belongs to the sender, with what each of them probes. */
export const claimOnce = Effect.fnUntraced(function* (
  { accountId }: Sender,
  {
    at,
    room = {},
    ...options
  }: { readonly at: DateTime.Utc; readonly dispatcher?: DispatcherId; readonly room?: Partial<ClaimRoom> }
) {
  const store = yield* DeliveryStore
  const claimed = yield* store.claimDue({ ...options, room: { ...roomFor(1_000), ...room }, lease, at })
  const own = claimed.deliveries.filter(({ delivery }) => delivery.accountId === accountId)
  return {
    ...claimed,
    deliveries: own.map(({ delivery }) => delivery),
    probeOf: own.map(({ probeOf }) => probeOf),
    behind: own.map(({ behind }) => behind)
  }
})

/** More rounds than any test needs to claim everything. */
const roundsMax = 10_000

/**
 * Claims everything that is due, and answers what belongs to the sender, in
 * the order claimed: the deliveries of others, left due by other tests, go by.
 * Claims are over the whole database, so nobody else may claim meanwhile.
 */
export const claimAll = Effect.fnUntraced(function* (
  { accountId }: Sender,
  { at, limit = 100 }: { readonly at: DateTime.Utc; readonly limit?: number }
) {
  const store = yield* DeliveryStore
  const claimed: Array<Delivery> = []
  for (let round = 0; round < roundsMax; round++) {
    const { deliveries, nextDueAt } = yield* store.claimDue({ room: roomFor(limit), lease, at })
    claimed.push(
      ...deliveries.flatMap(({ delivery }) => (delivery.accountId === accountId ? [delivery] : []))
    )
    if (nextDueAt === null || DateTime.isGreaterThan(nextDueAt, at)) return claimed
  }
  return yield* Effect.die(new Error(`After ${roundsMax} rounds of claims more is due`))
})

/** A delivery that was claimed at second 1. */
export const makeClaimedDelivery = Effect.fnUntraced(function* () {
  const sender = yield* makeSender()
  const { id } = yield* makeDelivery(sender)
  const [claimed] = yield* claimAll(sender, { at: second(1) })
  return claimed?.id === id
    ? { sender, claimed }
    : yield* Effect.die(new Error(`Delivery ${id} was not claimed`))
})

/** A delivery as it is now, with its attempts. */
export const stored = ({ accountId }: Sender, id: EventId) =>
  DeliveryStore.use((store) => store.get(accountId, id))

/** The latest attempt of a claimed delivery, failed with a 503 unless told otherwise. */
export const attemptOf = (
  { id, round, attempts }: Delivery,
  { startedAt = second(0), ...fields }: Partial<DeliveryAttempt> = {}
): DeliveryAttempt => ({
  deliveryId: id,
  round,
  number: attempts,
  startedAt,
  durationMs: 120,
  timings: { dns: null, connect: null, tls: null, headers: 110, body: 10 },
  phase: "done",
  status: 503,
  error: "The receiver answered 503",
  cause: fields.error === null ? null : "server_error",
  remoteAddress: "203.0.113.7",
  requestHeaders: { "x-webhook-event-id": id, "x-webhook-attempt": attempts.toString() },
  responseHeaders: { "content-type": "text/plain" },
  responseBody: "busy",
  isTruncated: false,
  ...fields
})

/** A delivery that has used up its attempts. */
export const makeDeadDelivery = Effect.fnUntraced(function* (sender: Sender, fields: Partial<Delivery> = {}) {
  const store = yield* DeliveryStore
  const { id } = yield* makeDelivery(sender, fields)
  const at = fields.createdAt ?? second(0)
  const claimed = yield* claimAll(sender, { at })
  const attempts = claimed.filter((delivery) => delivery.id === id).map((delivery) => attemptOf(delivery))
  yield* store.settle(
    attempts.map((attempt) => ({ accountId: sender.accountId, attempt, verdict: { _tag: "Dead" } })),
    at
  )
  const { delivery } = yield* store.get(sender.accountId, id)
  return delivery
})
