/** What a delivery waits for, the longest wait first. Pure. */
import type { DeliveryDetail, Receiver } from "@runhook/sdk/admin"

export interface Reason {
  /** The reason's name in the API. */
  readonly waitingFor: string
  /** When it ends; null if unknown. */
  readonly until: string | null
}

type WaitingDelivery = Pick<DeliveryDetail, "next_attempt_at" | "waiting_for">
type ReceiverState = Pick<Receiver, "state" | "until">

/** The state of a receiver as a reason to wait. */
const held: { readonly [state: string]: string } = { open: "breaker_open", paused: "paused" }

/** The service names the longest wait. A breaker or pause of the receiver that ends earlier is added. */
export const reasonsOf = (
  { next_attempt_at, waiting_for }: WaitingDelivery,
  receiver: ReceiverState | undefined,
  now: number
): ReadonlyArray<Reason> => {
  if (waiting_for === null) return []
  const longest = { waitingFor: waiting_for, until: next_attempt_at }
  const besides = held[receiver?.state ?? ""]
  const until = receiver?.until ?? null
  const isOver = until !== null && Date.parse(until) <= now
  return waiting_for === "sending" || besides === undefined || besides === waiting_for || isOver
    ? [longest]
    : [longest, { waitingFor: besides, until }]
}
