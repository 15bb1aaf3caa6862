/** What a delivery came to last, in words. */
import type { Delivery } from "@runhook/sdk/admin"
import { Said } from "./Said.tsx"
import { lastAnswerOf } from "./Standing.ts"

export const LastAnswer = ({ of }: { readonly of: Delivery }) => {
  const { next, tone, words } = lastAnswerOf(of)
  return (
    <>
      <span class={tone === "quiet" || tone === "good" ? undefined : tone}>
        <Said of={words} />
      </span>
      {next === null ? null : (
        <>
          , <Said of={next} />
        </>
      )}
    </>
  )
}
