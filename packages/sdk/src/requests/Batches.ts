/** Items that are sent together, and again one by one. */
import { randomName } from "../call/RandomName.ts"
import type { BatchItem } from "../wire/Integration.ts"

/** The items, each under a key, so that none is done twice. */
export const withKeys = (items: ReadonlyArray<BatchItem>): ReadonlyArray<BatchItem> =>
  items.map((item) => ({ ...item, idempotency_key: item.idempotency_key ?? randomName() }))
