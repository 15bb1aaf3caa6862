/** The latest result of a delivery, and what comes next, in words: the list says why without a click. */
import { type Delivery, deliveryAttemptsMax } from "@runhook/sdk/admin"
import type { Tone } from "../../parts/Looks.ts"
import { causeWords } from "./CauseWords.ts"
import { say, type Sentence } from "./Sentence.ts"

export interface LastAnswer {
  readonly tone: Tone
  readonly words: Sentence
  /** The next step; null if there is none. */
  readonly next: Sentence | null
}

type AttemptedDelivery = Pick<
  Delivery,
  "state" | "waiting_for" | "next_attempt_at" | "last_status" | "last_error" | "last_cause" | "attempts"
>

export const lastAnswerOf = (delivery: AttemptedDelivery): LastAnswer => {
  const { last_status, next_attempt_at, state, waiting_for } = delivery
  const at = next_attempt_at === null ? null : { at: next_attempt_at }
  const failure = failureWords(delivery)
  const told = (tone: Tone, words: Sentence, next: Sentence | null = null) => ({ tone, words, next })
  if (state === "delivered") return told("good", say`${String(last_status ?? "Delivered")}`)
  if (state !== "pending") return told("bad", say`${failure ?? "Never sent"}`)
  if (waiting_for === "sending") return told("run", say`In flight`)
  if (waiting_for === "breaker_open" && at !== null) return told("warn", say`Receiver paused until ${at}`)
  if (waiting_for === "paused" && at !== null)
    return told("warn", say`Receiver asked for a pause until ${at}`)
  if (waiting_for === "earlier_event") return told("quiet", say`Waits for an earlier event`)
  const isLater = waiting_for !== null && at !== null
  return failure === null
    ? told("quiet", isLater ? say`Goes out at ${at}` : say`Due now`)
    : told("bad", say`${failure}`, isLater ? say`next at ${at}` : say`due now`)
}

/** `401, refuses the signature`, `Address not found`; null if nothing failed. */
export const failureWords = ({ last_cause, last_error, last_status }: AttemptedDelivery): string | null => {
  if (last_error === null) return null
  const words = last_cause === null ? null : causeWords(last_cause)
  if (last_status === null) return words ?? "No answer"
  return words === null ? String(last_status) : `${last_status}, ${words}`
}

/** The numbers of failed, delivered and remaining attempts. */
export const attemptCountsOf = ({
  attempts,
  state,
  waiting_for
}: Pick<Delivery, "attempts" | "state" | "waiting_for">) => {
  const isDelivered = state === "delivered"
  const failed = Math.max(0, attempts - (isDelivered || waiting_for === "sending" ? 1 : 0))
  return {
    failed,
    delivered: isDelivered ? 1 : 0,
    toCome: state === "pending" ? Math.max(0, deliveryAttemptsMax - failed) : 0
  }
}

/** A delivery that is `pending` in the API is either being sent or waiting. */
export const stateOf = ({ state, waiting_for }: Pick<Delivery, "state" | "waiting_for">): string => {
  if (state !== "pending") return state
  return waiting_for === "sending" ? "sending" : "waiting"
}
