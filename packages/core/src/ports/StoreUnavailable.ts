/** The defect by which any method of a store ends when its database cannot be reached. */
import * as Schema from "effect/Schema"

/**
 * The database is away, starting or shutting down. A write that ends so may
 * have happened or not; repeating it later is safe where the port says so.
 * Hosts recognise it among the defects and ask their callers to come back.
 */
export class StoreUnavailable extends Schema.TaggedError<StoreUnavailable>()("StoreUnavailable", {
  /** What the driver said, for logs. */
  reason: Schema.String
}) {
  override get message() {
    return `The store is not available: ${this.reason}`
  }
}

/** Whether a defect is that the store is away. */
export const isStoreUnavailable = Schema.is(StoreUnavailable)
