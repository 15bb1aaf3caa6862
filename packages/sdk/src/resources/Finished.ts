/** When an execution is over, and how to wait for it. */

/** How long the service is asked to wait each time, in seconds: less than proxies usually allow an answer. */
export const waitSeconds = 25

/** Shortest time between two looks, for when the service answers at once. */
export const lookMs = 2_000

const finished = new Set(["completed", "cancelled", "aborted", "error"])

/** Whether an execution is over. A status of a later version counts as unfinished. */
export const isFinished = ({ status }: { readonly status: string }): boolean => finished.has(status)
