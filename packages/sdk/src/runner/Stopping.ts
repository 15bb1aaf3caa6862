/** The ways in which work ends other than with a result. */

/** Fails the execution with this message, which its caller is shown. */
export class TaskError extends Error {
  override readonly name = "TaskError"
  /** Whether another attempt may succeed: the task's `retry` then decides whether there is one. False unless given. */
  readonly retryable: boolean
  /** Milliseconds to wait before that attempt, a day at most; undefined: as the task's `retry` says. */
  readonly delayMillis: number | undefined

  constructor(
    message: string,
    {
      delayMillis,
      retryable = false
    }: { readonly retryable?: boolean; readonly delayMillis?: number | undefined } = {}
  ) {
    super(message)
    this.retryable = retryable
    this.delayMillis = delayMillis
  }
}

/** Ends the execution as `cancelled`, with the message as its reason. */
export class TaskCancelled extends Error {
  override readonly name = "TaskCancelled"
}

/**
 * - `cancelled`: its caller, an operator or its time limit ended the execution. Files are still accepted for a while.
 * - `lease_lost`: the execution no longer belongs to this runner. Nothing more can be written.
 * - `released`: it released its runner to wait for an answer, and will be claimed again.
 * - `stopping`: this runner stops. What the handler returns still counts; if it throws, the execution may be retried.
 */
export type StopKind = "cancelled" | "lease_lost" | "released" | "stopping"

/** The reason that a handler's signal aborts with. */
export class StoppedError extends Error {
  override readonly name = "StoppedError"
  readonly kind: StopKind

  constructor(kind: StopKind, message: string) {
    super(message)
    this.kind = kind
  }
}
