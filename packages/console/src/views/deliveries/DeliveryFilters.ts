/** The filters of the list: in the address, and as a query of the API. */
import {
  type AdminDeliveryFilter,
  deliveryEventTypes,
  type KnownAnswerClass,
  type KnownDeliveryCause,
  type KnownDeliveryEventType
} from "@runhook/sdk/admin"
import type { Filters } from "../../data/useFilters.ts"
import { isMoment } from "../../format/Moments.ts"
import type { Choices, Filter } from "../../parts/FilterBar.tsx"
import { causes, causeWords } from "./CauseWords.ts"

export const filterNames = [
  "state",
  "type",
  "answer",
  "key",
  "cause",
  "origin",
  "endpoint",
  "find",
  "q",
  "from",
  "to"
] as const
export type FilterName = (typeof filterNames)[number]

const states: { readonly [state: string]: AdminDeliveryFilter["status"] } = {
  waiting: "pending",
  dead: "dead",
  delivered: "delivered"
}

export const types: ReadonlyArray<KnownDeliveryEventType> = deliveryEventTypes

const answers: ReadonlyArray<readonly [answer: KnownAnswerClass, words: string]> = [
  ["2xx", "2xx, taken"],
  ["3xx", "3xx, redirected"],
  ["4xx", "4xx, refused"],
  ["5xx", "5xx, failing"],
  ["none", "No answer"]
]

/** The bar above the list, with the names of the account's keys. */
export const filtersWith = (keys: Choices | undefined): ReadonlyArray<Filter<FilterName>> => [
  {
    name: "state",
    label: "State",
    kind: "tabs",
    of: [
      ["waiting", "Waiting"],
      ["dead", "Dead"],
      ["delivered", "Delivered"]
    ]
  },
  { name: "find", label: "Reference or id", kind: "text", hint: "how it begins" },
  { name: "q", label: "Event or URL", kind: "text", hint: "a part of it" },
  { name: "type", label: "Type", kind: "choice", of: types.map((type) => [type, type]) },
  { name: "answer", label: "Answer", kind: "choice", of: answers },
  { name: "from", label: "From", kind: "moment" },
  { name: "to", label: "To", kind: "moment" },
  { name: "key", label: "Key", kind: "choice", of: keys },
  { name: "cause", label: "Cause", kind: "link", words: causeWords },
  { name: "origin", label: "Receiver", kind: "link" },
  { name: "endpoint", label: "Endpoint", kind: "link" }
]

const oneOf = <A extends string>(known: ReadonlyArray<A>, text: string | undefined): A | undefined =>
  known.find((each) => each === text)

/** Invalid values, as in an address typed by hand, are left out. */
export const queryOf = (filters: Filters<FilterName>): AdminDeliveryFilter => {
  const status = states[filters.state ?? ""]
  const type = oneOf(types, filters.type)
  const answer = oneOf(
    answers.map(([each]) => each),
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
    ...(filters.endpoint !== undefined && { endpoint_id: filters.endpoint }),
    ...(filters.find !== undefined && { find: filters.find }),
    ...(filters.q !== undefined && { q: filters.q }),
    ...(isMoment(filters.from) && { from: filters.from }),
    ...(isMoment(filters.to) && { to: filters.to })
  }
}
