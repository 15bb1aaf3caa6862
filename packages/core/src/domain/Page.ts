/** One page of a list, newest first. */
export interface PageRequest {
  /** The last id of the page before; null for the first page. */
  readonly after: string | null
  readonly limit: number
}

export interface Page<Item> {
  readonly items: ReadonlyArray<Item>
  /** Whether the list goes on behind this page. */
  readonly hasMore: boolean
}

export const pageSizeDefault = 50
export const pageSizeMax = 200
