/** The defect with which any method of a store ends when its database cannot be reached, or refuses for now. */
import * as Cause from "effect/Cause"
import * as Schema from "effect/Schema"

/**
 * The database is away, starting or shutting down, or refuses everything: it is
 * read-only, full, or out of time. A write that ends like this may have taken
 * effect or not; repeating it later is safe where the port says so. Hosts recognize
 * it among the defects and ask their callers to come back.
 */
export class StoreUnavailable extends Schema.TaggedError<StoreUnavailable>()("StoreUnavailable", {
  /** What the problem is and what ends it, for the operator's logs. Not for callers. */
  reason: Schema.String
}) {
  override get message() {
    return `The store is not available: ${this.reason}`
  }
}

/** Whether a defect means that the store is away. */
export const isStoreUnavailable = Schema.is(StoreUnavailable)

/** That the store is away, as a cause says it; undefined if the cause is something else. */
export const absenceIn = ({ reasons }: Cause.Cause<unknown>): StoreUnavailable | undefined =>
  reasons
    .map((reason) => (Cause.isDieReason(reason) ? reason.defect : Cause.isFailReason(reason) && reason.error))
    .find(isStoreUnavailable)

/** Whether what failed did so because the store is away. */
export const isStoreAway = (cause: Cause.Cause<unknown>): boolean => absenceIn(cause) !== undefined
