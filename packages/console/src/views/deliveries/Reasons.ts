/** Everything that a delivery is known to wait for, the longest wait first. Pure. */
import type { DeliveryDetail, Receiver } from "@runhook/sdk/admin"

export interface Reason {
  /** As the API names it. */
  readonly waitingFor: string
  /** When it ends; null where nobody knows. */
  readonly until: string | null
}

type Waiting = Pick<DeliveryDetail, "next_attempt_at" | "waiting_for">
type Holding = Pick<Receiver, "state" | "until">

/** What holds the receiver, as a reason to wait for it. */
const held: { readonly [state: string]: string } = { open: "breaker_open", paused: "paused" }

/** The service names the longest wait; what its receiver is held for besides ends before it, and is not over yet. */
export const reasonsOf = (
  { next_attempt_at, waiting_for }: Waiting,
  receiver: Holding | undefined,
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
