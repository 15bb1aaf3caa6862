/** Field types that many bodies of the runner API share. */
import { isStorableText } from "@runhook/core/shared/json/JsonText"
import * as Schema from "effect/Schema"
import { described } from "../shared/Described.ts"

export const text = (minimum: number, maximum: number) =>
  Schema.String.check(Schema.isBetweenCodePoints(minimum, maximum), isStorableText)

export const count = (minimum: number, maximum: number) =>
  Schema.Int.check(Schema.isBetween({ minimum, maximum }))

/** Executions one runner process may hold. */
export const inFlightMax = 1_000

export const Epoch = count(0, Number.MAX_SAFE_INTEGER).pipe(
  described("The fencing token of the lease. One that was never given out is stale, like an old one.")
)
