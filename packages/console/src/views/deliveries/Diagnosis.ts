/**
 * What is wrong with a delivery, the likely cause, and what to do about it, by the
 * first rule that matches. Rules combine the results of the attempts with other
 * successes of the receiver, and with changes of the secret.
 */
import { deliveryAttemptsMax, type DeliveryDetail, recoverySeconds } from "@runhook/sdk/admin"
import { originOf } from "../../format/Ids.ts"
import type { Case, Diagnosis, Evidence } from "./Case.ts"
import { byCause, replayIt } from "./DiagnosisRules.ts"
import { say, type Sentence } from "./Sentence.ts"

/** Null if nothing is wrong. */
export const diagnose = (delivery: DeliveryDetail, evidence: Evidence): Diagnosis | null => {
  const { callback_url, last_error, state, waiting_for } = delivery
  if (state === "delivered" || state === "cancelled") return null
  const origin = originOf(callback_url)
  const last = delivery.attempts_log.at(-1)
  const found: Case = { delivery, evidence, last, origin, host: origin.replace(/^https?:\/\//, "") }
  if (state === "pending" && waiting_for === "breaker_open") return held(found)
  if (last_error === null) return null
  const why = byCause(found)
  if (state !== "pending") return why
  return { ...why, steps: [...why.steps.filter((step) => step !== replayIt), goesOn(delivery)] }
}

const goesOn = ({ attempts, expires_at, next_attempt_at }: DeliveryDetail): Sentence =>
  next_attempt_at === null
    ? say`Nothing else: it is tried again by itself.`
    : say`Nothing else: it is tried again at ${{ at: next_attempt_at }} by itself. ${
        attempts === 0 ? "" : `${attempts} of ${deliveryAttemptsMax} attempts are used; `
      }the last moment is ${{ at: expires_at }}.`

/** The receiver failed too often in a row, so nothing is sent to it for a while. */
const held = (found: Case): Diagnosis => {
  const { delivery, origin } = found
  const until = delivery.next_attempt_at ?? delivery.expires_at
  const why = delivery.last_error === null ? null : byCause(found)
  return {
    tone: "warn",
    title: say`Waits: the receiver is paused until ${{ at: until }}`,
    text: say`${{ theirs: origin }} failed several times in a row, so Runhook holds back all callbacks to it and asks with one of them every few minutes. Waiting uses up no attempts. This one is given up at ${{ at: delivery.expires_at }} at the latest.`,
    steps: [
      ...(why === null
        ? [say`See whether the receiver is up.`]
        : why.steps.filter((step) => step !== replayIt)),
      say`Nothing else: when one gets through, the rest follow within ${String(recoverySeconds)} seconds.`
    ]
  }
}
