/** What all answers share. */

/** Every body names the request it answers. */
export interface Answer {
  /** Correlation id, the same as in the `X-Request-Id` header. Give it to whoever runs the service. */
  readonly request_id: string
}

/** One page of a list. */
export interface Page<Item> extends Answer {
  readonly data: ReadonlyArray<Item>
  /** Where the next page begins; null on the last page. */
  readonly next_cursor: string | null
}

/** What chooses the first page of a list. */
export interface PageQuery {
  /** `next_cursor` of the page before; the list begins at its start unless given. */
  readonly cursor?: string
  /** Items on a page, 1 to 200; 50 unless given. */
  readonly limit?: number
}
