/** The latest result of a delivery, in words. */
import { prose } from "../../parts/Parts.ts"
import type { Delivery } from "@runhook/sdk/admin"
import { SentenceText } from "./SentenceText.tsx"
import { lastAnswerOf } from "./DeliveryWords.ts"

export const LastAnswer = ({ of }: { readonly of: Delivery }) => {
  const { next, tone, words } = lastAnswerOf(of)
  return (
    <>
      <span class={tone === "quiet" || tone === "good" ? undefined : tone}>
        <SentenceText of={words} />
      </span>
      {next === null ? null : prose`, ${<SentenceText of={next} />}`}
    </>
  )
}
