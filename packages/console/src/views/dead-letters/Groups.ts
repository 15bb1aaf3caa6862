/** Groups of dead letters in words, and as filters of a replay. Pure. */
import type { AdminReplayDeliveries, DeadLetterGroup } from "@runhook/sdk/admin"
import { countWords } from "../../format/Amounts.ts"
import { oneOf } from "../../format/Choices.ts"
import { pathTo } from "../../shell/Paths.ts"
import { causes } from "../deliveries/CauseWords.ts"

/** Identifies the group. */
export const groupKey = ({ cause, origin }: DeadLetterGroup): string => `${origin} ${cause}`

/** The filter of the group's replay; undefined for a cause that this page does not know. */
export const filterOf = ({ cause, origin }: DeadLetterGroup): AdminReplayDeliveries | undefined => {
  const known = oneOf(causes, cause)
  return known === undefined ? undefined : { status: ["dead"], url_origin: origin, cause: known }
}

/** The list of its deliveries. */
export const groupHref = ({ cause, origin }: DeadLetterGroup): string =>
  pathTo("/deliveries", { state: "dead", origin, cause })

/** `72 queued, 71 started, 64 completed`, the most frequent first. */
export const typeWords = (types: Readonly<Record<string, number>>): string =>
  Object.entries(types)
    .toSorted(([, one], [, other]) => other - one)
    .map(([type, count]) => `${countWords(count)} ${type.replace(/^(?:execution|webhook)\./, "")}`)
    .join(", ")

/** `8,260`, or `10,000+` if counting stopped there. */
export const atLeastWords = (count: number, isMore: boolean): string =>
  `${countWords(count)}${isMore ? "+" : ""}`
