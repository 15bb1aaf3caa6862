/** One page of a list, newest first. */
export interface PageRequest {
  /** The last id of the previous page; null for the first page. */
  readonly after: string | null
  /** The most items. */
  readonly limit: number
  /**
   * The most bytes: a page ends before the item that would pass them, and the next
   * one begins with it. The first item is on the page however large it is. Lists of
   * items that are never large ignore this. `pageBytesMax` unless given.
   */
  readonly bytesMax?: number
}

export interface Page<Item> {
  readonly items: ReadonlyArray<Item>
  /** Whether the list continues after this page. */
  readonly hasMore: boolean
  /**
   * The id behind which it continues, if that is not its last item's: a page of a list with a filter ends when it has
   * looked at many, however few of them matched.
   */
  readonly next?: string
}

export const pageSizeDefault = 50
export const pageSizeMax = 200

/** The default bytes of a page. */
export const pageBytesMax = 4 * 1024 * 1024

/** What an item counts for its fields that are never large. */
export const itemBytes = 1_024
