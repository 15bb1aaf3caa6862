/** Counts how replayed deliveries ended, for their jobs. */
import type { Delivery } from "@runhook/core/domain/delivery/Delivery"
import { withOutcome } from "@runhook/core/domain/delivery/ReplayJob"
import type { Tables } from "../MemoryDatabase.ts"

/** Counts a delivery for the job that started its round, if that has just come to its end. */
export const countOutcome = ({ replays }: Pick<Tables, "replays">, { replayId, state }: Delivery): void => {
  const job = replayId === null || state === "pending" ? undefined : replays.get(replayId)
  if (job !== undefined) replays.set(job.id, withOutcome(job, state))
}
