/** Deliveries in flight that tests make up. */
import { newDelivery } from "@runhook/core/deliveries/Delivery"
import { AccountId, ApiKeyId, EventId } from "@runhook/core/shared/Ids"
import * as DateTime from "effect/DateTime"
import { bodyUnit, type InFlight, inFlightOf, type Receiver } from "../../src/receivers/Receiver.ts"
import type { Receivers } from "../../src/receivers/Receivers.ts"

export const accountId = AccountId.make("0190a8f0-0000-7000-8000-000000000000")
const anotherAccountId = AccountId.make("0190a8f0-0000-7000-8000-000000000001")

/** The receiver of that number. */
export const named = (number: number) => ({ accountId, origin: `http://127.0.0.1:${1_000 + number}` })

/** One of another account at an origin that the first has as well. */
export const ofAnother = { ...named(0), accountId: anotherAccountId }
export const ofAThird = { ...named(0), accountId: AccountId.make("0190a8f0-0000-7000-8000-000000000002") }

const uuid = (number: number) => `00000000-0000-7000-8000-${number.toString().padStart(12, "0")}`

export const makeEventId = (number: number) => EventId.make(uuid(number))
export const numberOf = ({ delivery: { id } }: InFlight) => Number(id.slice(-12))

export interface Given {
  readonly number?: number
  readonly isRetry?: boolean
  readonly isHandedOver?: boolean
  /** What its body counts as. */
  readonly units?: number
  /** The number of the one that it is behind. */
  readonly behind?: number
  readonly probeOf?: number
  readonly leasedAt?: number
}

/** A first attempt of a test that no execution caused. */
export const inFlightTo = (receiver: Receiver, given: Given = {}): InFlight => {
  const { behind, isHandedOver = false, isRetry = false, leasedAt = 0, number = 0, units = 1 } = given
  const subject = {
    id: makeEventId(number),
    accountId: receiver.account.id,
    apiKeyId: ApiKeyId.make(uuid(0)),
    executionId: null,
    revision: null,
    type: "webhook.test" as const,
    url: "",
    requestId: "",
    reference: null,
    body: "x".repeat((units - 1) * bodyUnit)
  }
  const delivery = { ...newDelivery(subject, DateTime.makeUnsafe(0)), attempts: isRetry ? 2 : 1 }
  return inFlightOf(
    { delivery, probeOf: given.probeOf ?? null, behind: behind === undefined ? null : makeEventId(behind) },
    { receiver, leasedAt, isHandedOver }
  )
}

/** So many to one receiver. */
export const toOne = (receivers: Receivers, count: number, given: Given = {}): ReadonlyArray<InFlight> =>
  Array.from({ length: count }, () => inFlightTo(receivers.at(named(0)), given))

/** One to each of so many receivers. */
export const toEach = (receivers: Receivers, count: number, given: Given = {}): ReadonlyArray<InFlight> =>
  Array.from({ length: count }, (_, number) => inFlightTo(receivers.at(named(number)), given))

/** Claims them all, in one go. */
export const claim = (receivers: Receivers, claimed: ReadonlyArray<InFlight>) =>
  receivers.endClaim(receivers.beginClaim(), claimed)
