/** Options that some calls have beside those of every call. */

export interface GetFields {
  /** Seconds the service waits until the execution is finished or awaits input, 0 to 60; 0 unless given. */
  readonly wait?: number | undefined
}

/** Options of a create, besides its body. */
export interface CreateFields {
  /** Repeating a create under the same key makes no second execution; a new key for each call unless given. */
  readonly idempotencyKey?: string | undefined
}
