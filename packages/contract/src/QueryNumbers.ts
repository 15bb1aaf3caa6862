/** The numbers in queries. In a URL they are text, so documents would not show their rules by themselves. */
import { VersionNumber } from "@runhook/core/catalog/VersionSelector"
import { pageSizeDefault, pageSizeMax } from "@runhook/core/shared/Page"
import * as Schema from "effect/Schema"
import * as SchemaTransformation from "effect/SchemaTransformation"
import { described } from "./shared/Described.ts"

/** Longest `?wait=` in seconds. */
export const waitSecondsMax = 60

export const queryNumbers = {
  limit: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: pageSizeMax })).pipe(
    described(
      `The most items on the page; ${pageSizeDefault} unless given. A page of large items ends early, and so does one by a filter that few match: next_cursor alone says whether there is more.`,
      pageSizeDefault
    )
  ),
  after: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 2_147_483_647 })).pipe(
    described("The number of the last one that the caller has; from the first unless given.", 0)
  ),
  v: VersionNumber.pipe(described("A version's number; wins over version.")),
  wait: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: waitSecondsMax })).pipe(
    described("Seconds to wait for something new; none unless given.", 0)
  )
}

export const digits = /^(?:0|[1-9]\d*)$/u

/** A number as a query spells it: digits alone. The runtime would also read `1e2`, `0x10`, `+5` and white space. */
export const inQuery = (number: Schema.Codec<number>) =>
  Schema.String.check(Schema.isPattern(digits, { expected: "a whole number in digits" })).pipe(
    Schema.decodeTo(number, SchemaTransformation.numberFromString)
  )
