/** Dead letters by receiver and cause, in words and as what a replay is asked for. Pure. */
import type { AdminReplayDeliveries, DeadLetterGroup, KnownDeliveryCause } from "@runhook/sdk/admin"
import { countWords } from "../../format/Amounts.ts"
import { pathTo } from "../../shell/Paths.ts"
import { causes } from "../deliveries/CauseWords.ts"

/** One line tells it from all others. */
export const groupKey = ({ cause, origin }: DeadLetterGroup): string => `${origin} ${cause}`

const knownCause = (cause: string): KnownDeliveryCause | undefined => causes.find((each) => each === cause)

/** What a replay of the group asks for; undefined for a cause that this page does not know. */
export const filterOf = ({ cause, origin }: DeadLetterGroup): AdminReplayDeliveries | undefined => {
  const known = knownCause(cause)
  return known === undefined ? undefined : { status: ["dead"], url_origin: origin, cause: known }
}

/** Its deliveries, one by one. */
export const groupHref = ({ cause, origin }: DeadLetterGroup): string =>
  pathTo("/deliveries", { state: "dead", origin, cause })

/** `72 queued, 71 started, 64 completed`, the most first. */
export const typeWords = (types: Readonly<Record<string, number>>): string =>
  Object.entries(types)
    .toSorted(([, one], [, other]) => other - one)
    .map(([type, count]) => `${countWords(count)} ${type.replace(/^(?:execution|webhook)\./, "")}`)
    .join(", ")

/** `8,260`, or `10,000+` when counting ended there. */
export const atLeastWords = (count: number, isMore: boolean): string =>
  `${countWords(count)}${isMore ? "+" : ""}`
