/** Stores a step of a delivery, with all that follows from it. */
import type { Delivery } from "@runhook/core/deliveries/Delivery"
import type { Step } from "@runhook/core/deliveries/steps/DeliverySteps"
import {
  receiverKey,
  receiverOf,
  type ReceiverState,
  untroubled
} from "@runhook/core/deliveries/claim/Receiver"
import { withOutcome } from "@runhook/core/replays/ReplayJob"
import type { Tables } from "../../MemoryDatabase.ts"

export type DeliveryTables = Pick<
  Tables,
  "attempts" | "claimers" | "deliveries" | "receivers" | "replays" | "tries"
>

export const applyStep = (
  tables: DeliveryTables,
  { after, before, dispatcher, isTried, receiver }: Step<Delivery>
): void => {
  const { claimers, deliveries, receivers, replays, tries } = tables
  const { id } = after
  deliveries.put(after)
  if (dispatcher === null) claimers.delete(id)
  else claimers.set(id, dispatcher)
  if (isTried) tries.add(id)
  else tries.delete(id)
  if (receiver !== undefined) receivers.set(receiverKey(receiverOf(after)), receiver.after)
  const { replayId, state } = after
  const job =
    replayId === null || before.state !== "pending" || state === "pending" ? undefined : replays.get(replayId)
  if (job !== undefined) replays.set(job.id, withOutcome(job, state))
}

export const receiverStateOf = ({ receivers }: DeliveryTables, delivery: Delivery): ReceiverState =>
  receivers.get(receiverKey(receiverOf(delivery))) ?? untroubled
