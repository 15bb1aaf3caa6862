/** Steps of deliveries that are stored together. */
import type { Step } from "@runhook/core/domain/delivery/DeliverySteps"
import { uuid } from "../../sql/Parameters.ts"
import type { InBucket } from "../../sql/Statement.ts"

/** A step with the texts of its attempt. */
export interface StoredStep extends Step {
  readonly firstAttempt: string | null
}

/** The steps of one account. */
export interface Batch extends InBucket {
  readonly accountId: string
  readonly steps: ReadonlyArray<StoredStep>
}

export const ofAccount = uuid(({ accountId }: Batch) => accountId)
