/** The right of one runner session to run one execution for one attempt. */
import type * as DateTime from "effect/DateTime"
import * as Schema from "effect/Schema"
import { ExecutionStatus } from "../executions/ExecutionStatus.ts"
import { ExecutionId, type SessionId } from "../shared/Ids.ts"

/** Stores keep epochs in 32 bits. No real epoch comes near that, so a larger one is simply stale. */
export const epochMax = 2 ** 31 - 1

export interface Lease {
  readonly sessionId: SessionId
  /** The claim that gave it: repeating the claim finds it again. */
  readonly claimId: string
  /** The fencing token every write of the runner must name. */
  readonly epoch: number
  /** Lost if no heartbeat comes before then. */
  readonly expiresAt: DateTime.Utc
}

/** Work a runner believes to hold. */
export interface InFlight {
  readonly executionId: ExecutionId
  readonly epoch: number
}

/** The runner no longer has the right to run the execution; nothing was changed. */
export class LeaseLost extends Schema.TaggedError<LeaseLost>()("LeaseLost", {
  id: ExecutionId,
  status: ExecutionStatus,
  /** The execution's current epoch. */
  epoch: Schema.Int
}) {
  override get message() {
    return `The lease on execution ${this.id} is lost: it is ${this.status} under epoch ${this.epoch}`
  }
}
