/** The defect by which any method of a store ends when its database cannot be reached, or refuses for now. */
import * as Schema from "effect/Schema"

/**
 * The database is away, starting or shutting down, or it refuses whatever is
 * asked of it: it is read-only, full, or out of time. A write that ends so may
 * have happened or not; repeating it later is safe where the port says so.
 * Hosts recognise it among the defects and ask their callers to come back.
 */
export class StoreUnavailable extends Schema.TaggedError<StoreUnavailable>()("StoreUnavailable", {
  /** What it is and what ends it, for the logs of an operator. Not for callers. */
  reason: Schema.String
}) {
  override get message() {
    return `The store is not available: ${this.reason}`
  }
}

/** Whether a defect is that the store is away. */
export const isStoreUnavailable = Schema.is(StoreUnavailable)
