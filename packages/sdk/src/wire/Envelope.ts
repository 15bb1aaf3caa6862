/** What all answers have in common. */

/** Every body names the request it answers. */
export interface Answer {
  /** Correlation id, the same as in the `X-Request-Id` header. Quote it to the service's operator. */
  readonly request_id: string
}

/** One page of a list. */
export interface Page<Item> extends Answer {
  readonly data: ReadonlyArray<Item>
  /** Where the next page begins; null on the last page. */
  readonly next_cursor: string | null
}
