/** When an execution is over. */

const finished = new Set(["completed", "cancelled", "aborted", "error"])

/** Whether an execution is over. A status of a later version counts as unfinished. */
export const isFinished = ({ status }: { readonly status: string }): boolean => finished.has(status)
