/** When an execution is over. */
import { finishedStatuses } from "../wire/Rules.generated.ts"

/** Whether an execution is over. A status of a later version counts as unfinished. */
export const isFinished = ({ status }: { readonly status: string }): boolean => finishedStatuses.has(status)
