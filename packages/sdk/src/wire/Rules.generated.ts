/** Rules of the service. Generated from the core by `npm run generate`: do not edit. */

/** Statuses in which nothing more happens to an execution. */
export const finishedStatuses: ReadonlySet<string> = new Set([
  "completed",
  "cancelled",
  "aborted",
  "error"
])

/** Types of the events that are sent. */
export const deliveryEventTypes = [
  "execution.queued",
  "execution.started",
  "execution.completed",
  "execution.failed",
  "execution.aborted",
  "webhook.test"
] as const

/** Types of the events that tell how an execution ended. */
export const endEvents: ReadonlySet<string> = new Set([
  "execution.completed",
  "execution.aborted",
  "execution.failed"
])

/** Attempts of a delivery before it is given up. */
export const deliveryAttemptsMax = 12

/** Hours after which a delivery is given up in any case. */
export const deliveryHoursMax = 96

/** Seconds over which a receiver that is back gets what waits for it. */
export const recoverySeconds = 30
