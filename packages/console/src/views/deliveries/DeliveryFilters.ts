/** The filters of the list: in the address, and as a query of the API. */
import {
  type AdminDeliveryFilter,
  deliveryEventTypes,
  type KnownAnswerClass,
  type KnownDeliveryCause,
  type KnownDeliveryEventType
} from "@runhook/sdk/admin"
import type { Filters } from "../../data/useFilters.ts"
import { causes } from "./CauseWords.ts"

export const filterNames = ["state", "type", "answer", "key", "cause", "origin", "q", "from", "to"] as const
export type FilterName = (typeof filterNames)[number]

/** States with their labels, in the order of the tabs. */
export const states = [
  { state: undefined, words: "All", asks: undefined },
  { state: "waiting", words: "Waiting", asks: "pending" },
  { state: "dead", words: "Dead", asks: "dead" },
  { state: "delivered", words: "Delivered", asks: "delivered" }
] as const

export const types: ReadonlyArray<KnownDeliveryEventType> = deliveryEventTypes

export const answers: ReadonlyArray<{ readonly answer: KnownAnswerClass; readonly words: string }> = [
  { answer: "2xx", words: "2xx, taken" },
  { answer: "3xx", words: "3xx, redirected" },
  { answer: "4xx", words: "4xx, refused" },
  { answer: "5xx", words: "5xx, failing" },
  { answer: "none", words: "No answer" }
]

const oneOf = <A extends string>(known: ReadonlyArray<A>, text: string | undefined): A | undefined =>
  known.find((each) => each === text)

/** Invalid values, as in an address typed by hand, are left out. */
export const queryOf = (filters: Filters<FilterName>): AdminDeliveryFilter => {
  const status = states.find(({ state }) => state !== undefined && state === filters.state)?.asks
  const type = oneOf(types, filters.type)
  const answer = oneOf(
    answers.map((each) => each.answer),
    filters.answer
  )
  const cause: KnownDeliveryCause | undefined = oneOf(causes, filters.cause)
  return {
    ...(status !== undefined && { status }),
    ...(type !== undefined && { type }),
    ...(answer !== undefined && { answer }),
    ...(cause !== undefined && { cause }),
    ...(filters.key !== undefined && { key_id: filters.key }),
    ...(filters.origin !== undefined && { url_origin: filters.origin }),
    ...(filters.q !== undefined && { q: filters.q }),
    ...(isMoment(filters.from) && { from: filters.from }),
    ...(isMoment(filters.to) && { to: filters.to })
  }
}

const isMoment = (text: string | undefined): text is string =>
  text !== undefined && !Number.isNaN(Date.parse(text))
