/**
 * Where a store hands over work that is created while a poll of this process waits
 * for it. It is stored as claimed by the session of the poll, in the statement that
 * creates it, and reaches the poll in memory after the commit. If the poll never
 * gets it, or cannot answer it, it is as with every claim whose answer was lost: the
 * same claim id brings it again, and in the end it comes back by its lease.
 */
import type { AccountId, AgentId } from "../../shared/Ids.ts"
import type { Assignment } from "../LeaseMoves.ts"
import type { Change } from "../Run.ts"

/** A place kept for one run. Exactly one of these must be called. */
export interface ReservedWork {
  /** The run is stored as this change has left it, and committed. */
  begin(change: Change): void
  /** The run is not stored, or waits in the queue. */
  free(): void
  /** It is unknown what is stored. A claim under the poll's claim id will tell. */
  doubt(): void
}

export interface WorkInlet extends Assignment {
  readonly accountId: AccountId
  /** The agents whose work it takes; null: all of the account. */
  readonly agentIds: ReadonlyArray<AgentId> | null
  /** Reserves a place for work that is about to be stored; null when no poll waits for it now. */
  reservePlace(): ReservedWork | null
}
