/** The scope of a replay, in one line. */
import type { ReplayFilter } from "@runhook/sdk/admin"
import { countOf } from "../../format/Amounts.ts"
import { urlWords } from "../../format/Ids.ts"
import { prose, UntrustedText } from "../../parts/Parts.ts"
import { causeWords } from "../deliveries/CauseWords.ts"

/** `dead letters`, `dead and delivered deliveries` */
export const statesWords = (states: ReadonlyArray<string>): string =>
  states.every((state) => state === "dead") ? "dead letters" : `${states.join(" and ")} deliveries`

export const JobScope = ({ filter }: { readonly filter: ReplayFilter }) => {
  const { cause, ids, last_only, status, url_origin } = filter
  const what = ids === null ? statesWords(status) : countOf(ids.length, "delivery", "deliveries")
  return (
    <>
      {url_origin === null
        ? `${what} of all receivers`
        : prose`${what} to ${<UntrustedText text={urlWords(url_origin)} isBrief />}`}
      {cause === null ? "" : `, ${causeWords(cause)}`}
      {last_only ? ", only last events" : ""}
    </>
  )
}
