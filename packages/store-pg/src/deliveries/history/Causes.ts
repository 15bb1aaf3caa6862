/** Causes as the tables hold them that list deliveries by cause. */
import type { DeliveryCause } from "@runhook/core/domain/delivery/AttemptCause"

/** Of what a version before has recorded. */
export const unknownCause = "unknown"

/** Of what was given up without an attempt. */
export const expired: DeliveryCause = "expired"
