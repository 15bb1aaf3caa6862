/** The filters of the list: in the address, and as a query of the API. */
import { type AdminDeliveryFilter, deliveryEventTypes, type KnownAnswerClass } from "@runhook/sdk/admin"
import type { Filters } from "../../data/useFilters.ts"
import { choicesOf, chosenOf, type Named, oneOf } from "../../format/Choices.ts"
import { momentIn } from "../../format/Moments.ts"
import type { Filter } from "../../parts/FilterBar.tsx"
import { statusWord } from "../../parts/Looks.ts"
import { causes, causeWords } from "./CauseWords.ts"

/** In the address; the API says `pending` for all that are not settled. */
const states = ["waiting", "dead", "delivered"] as const

const answers: ReadonlyArray<readonly [answer: KnownAnswerClass, words: string]> = [
  ["2xx", "2xx, taken"],
  ["3xx", "3xx, redirected"],
  ["4xx", "4xx, refused"],
  ["5xx", "5xx, failing"],
  ["none", "No answer"]
]

/** The bar above the list, with the names of the account's keys. */
export const filtersWith = (keys?: ReadonlyArray<Named>) =>
  [
    { name: "state", label: "State", kind: "tabs", of: states.map((state) => [state, statusWord(state)]) },
    { name: "find", label: "Reference or id", kind: "text", hint: "how it begins" },
    { name: "q", label: "Event or URL", kind: "text", hint: "a part of it" },
    { name: "type", label: "Type", kind: "choice", of: deliveryEventTypes.map((type) => [type, type]) },
    { name: "answer", label: "Answer", kind: "choice", of: answers },
    { name: "from", label: "From", kind: "moment" },
    { name: "to", label: "To", kind: "moment" },
    { name: "key", label: "Key", kind: "choice", of: choicesOf(keys) },
    { name: "cause", label: "Cause", kind: "link", words: causeWords },
    { name: "origin", label: "Receiver", kind: "link" },
    { name: "endpoint", label: "Endpoint", kind: "link" }
  ] as const satisfies ReadonlyArray<Filter<string>>

export const filterNames = filtersWith().map(({ name }) => name)

export type FilterName = (typeof filterNames)[number]

/** Invalid values, as in an address typed by hand, are left out. */
export const queryOf = (filters: Filters<FilterName>): AdminDeliveryFilter => {
  const state = oneOf(states, filters.state)
  return {
    status: state === "waiting" ? "pending" : state,
    type: oneOf(deliveryEventTypes, filters.type),
    answer: chosenOf(answers, filters.answer),
    cause: oneOf(causes, filters.cause),
    key_id: filters.key,
    url_origin: filters.origin,
    endpoint_id: filters.endpoint,
    find: filters.find,
    q: filters.q,
    from: momentIn(filters.from),
    to: momentIn(filters.to)
  }
}
