/** How many requests a caller may make. */
import * as Schema from "effect/Schema"

/** `perSecond` on average, `burst` at once. */
export const RateLimit = Schema.Struct({
  perSecond: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 100_000 })),
  burst: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 1_000_000 }))
})
export type RateLimit = typeof RateLimit.Type

/** The keys of one API of an account, or its people, together have the rate of this many callers. */
export const callersPerAccount = 5

/** The default rate of an account, by the rate of one caller. */
export const rateOfAccount = ({ burst, perSecond }: RateLimit): RateLimit => ({
  perSecond: Math.min(perSecond * callersPerAccount, 100_000),
  // As one: five times that many at once would hold up others for a second or more.
  burst
})
