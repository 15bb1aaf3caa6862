/** The defect with which any method of a file storage ends when the storage cannot be used. */
import * as Schema from "effect/Schema"

/**
 * The storage is away, or accepts nothing. What was acknowledged is safe; anything
 * else may be repeated later. The adapter has told the operator, once. Hosts ask
 * their callers to come back.
 */
export class StorageUnavailable extends Schema.TaggedError<StorageUnavailable>()("StorageUnavailable", {
  /** What to repair, for logs. */
  reason: Schema.String
}) {
  override get message() {
    return `The storage of files is not available: ${this.reason}`
  }
}

/** Whether a defect means that the storage cannot be used. */
export const isStorageUnavailable = Schema.is(StorageUnavailable)
