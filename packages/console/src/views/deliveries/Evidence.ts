/** Loads the evidence for the diagnosis of a failed delivery. */
import { type DeliveryDetail, deliveryEventTypes } from "@runhook/sdk/admin"
import { latestChange } from "../../data/LatestChange.ts"
import { oneOf } from "../../format/Choices.ts"
import { originOf } from "../../format/Ids.ts"
import { account } from "../../session/Session.ts"
import { type Evidence, noEvidence, type Success } from "./Case.ts"

/** Whatever cannot be loaded is left out: a diagnosis without evidence is better than none. */
export const evidenceFor = async (
  { callback_url, endpoint_id, key_id: owner, last_cause, type }: DeliveryDetail,
  signal: AbortSignal
): Promise<Evidence> => {
  if (last_cause === null) return noEvidence
  // An endpoint signs with a secret of its own.
  const signer = endpoint_id === null ? { key_id: owner ?? "" } : { endpoint_id }
  const taken = { status: "delivered", url_origin: originOf(callback_url), limit: 1, ...signer } as const
  const { deliveries } = account.value
  const latest = async (filter: Parameters<typeof deliveries.list>[0]): Promise<Success | null> => {
    const [found] = (await deliveries.list(filter, { signal }).page()).data
    return found === undefined
      ? null
      : { id: found.id, at: found.settled_at ?? found.created_at, url: found.callback_url }
  }
  const secretChange = async (): Promise<Evidence["secretChange"]> => {
    if (last_cause !== "unauthorized") return null
    const found = await (endpoint_id === null
      ? latestChange(owner ?? "", "signing_secret.rotated", signal)
      : latestChange(endpoint_id, "endpoint.rotated", signal))
    return found === undefined ? null : { at: found.at, by: found.actor.name }
  }
  const known = oneOf(deliveryEventTypes, type)
  const orNull = <A>(asked: Promise<A | null>): Promise<A | null> => asked.catch(() => null)
  const [ofKey, ofType, change] = await Promise.all([
    orNull(latest(taken)),
    known === undefined ? null : orNull(latest({ ...taken, type: known })),
    orNull(secretChange())
  ])
  return { ofKey, ofType, secretChange: change }
}
