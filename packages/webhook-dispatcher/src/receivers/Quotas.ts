/** How what a process may do at once is shared, so that nobody takes it all. */

export interface Quotas {
  readonly places: number
  /** Of them, deliveries of one account. */
  readonly account: number
  /** Of them, attempts after the first: what failed before must not hold up what is new. */
  readonly retries: number
  /** Of them, deliveries that came past the queue: what others caused must find room beside them. */
  readonly handedOver: number
}

/** A quarter for an account, half for retries and half for what is handed over; at least one for each. */
export const quotasOf = (places: number): Quotas => ({
  places,
  account: Math.max(1, Math.floor(places / 4)),
  retries: Math.max(1, Math.floor(places / 2)),
  handedOver: Math.max(1, Math.floor(places / 2))
})
