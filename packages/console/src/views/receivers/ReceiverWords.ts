/** The state of a receiver in words. */
import type { Receiver } from "@runhook/sdk/admin"
import { sentenceCase } from "../../format/Amounts.ts"
import type { StatusProps } from "../../parts/Status.tsx"
import { causeWords } from "../deliveries/CauseWords.ts"

/** Its last failure: `Refuses the signature (401)`. */
export const failureWords = ({ last_failure: failure }: Receiver): string => {
  const word = failure?.cause ? sentenceCase(causeWords(failure.cause)) : "Failing"
  return failure?.status ? `${word} (${failure.status})` : word
}

/** What `Status` shows of it. */
export const receiverStatus = (receiver: Receiver): StatusProps => {
  const { state } = receiver
  if (state === "open" || state === "failing") return { of: "failing", word: failureWords(receiver) }
  return state === "paused" ? { of: state, word: "Asked for a pause" } : { of: state }
}
