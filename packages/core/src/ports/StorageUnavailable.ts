/** The defect by which any method of a storage of files ends when it cannot be used. */
import * as Schema from "effect/Schema"

/**
 * The storage is away, or takes nothing. What was acknowledged is not touched
 * by that, and what was not may be repeated later. The adapter has told the
 * operator, once; hosts ask their callers to come back.
 */
export class StorageUnavailable extends Schema.TaggedError<StorageUnavailable>()("StorageUnavailable", {
  /** What has to be mended, for logs. */
  reason: Schema.String
}) {
  override get message() {
    return `The storage of files is not available: ${this.reason}`
  }
}

/** Whether a defect is that the storage cannot be used. */
export const isStorageUnavailable = Schema.is(StorageUnavailable)
