/** The facts of a delivery. */
import type { DeliveryDetail } from "@runhook/sdk/admin"
import { originOf } from "../../format/Ids.ts"
import { FactsCard, Moment, ThingLink, UntrustedText, WholeId } from "../../parts/Parts.ts"
import { pathTo } from "../../shell/Shell.ts"

export const DeliveryFacts = ({ of }: { readonly of: DeliveryDetail }) => {
  const { callback_url, endpoint_id, event_id, execution_id, reference, round } = of
  return (
    <FactsCard
      of={{
        Event: <WholeId of={event_id} />,
        Receiver: (
          <>
            <UntrustedText text={callback_url} />
            <span class="sub">
              <a href={pathTo("/deliveries", { origin: originOf(callback_url) })}>All to this receiver</a>
            </span>
          </>
        ),
        Execution:
          execution_id === null ? (
            "None: this is a test"
          ) : (
            <ThingLink of="executions" id={execution_id} name={reference} />
          ),
        Key: of.key_id && <ThingLink of="keys" id={of.key_id} />,
        "Standing endpoint": endpoint_id && <ThingLink of="endpoints" id={endpoint_id} />,
        Enqueued: <Moment at={of.created_at} isExact />,
        [of.state === "delivered" ? "Delivered" : "Given up"]: of.settled_at && (
          <Moment at={of.settled_at} isExact />
        ),
        "Gives up": of.state === "pending" && <Moment at={of.expires_at} isExact />,
        Round: round > 1 && `${round}, after ${round === 2 ? "a replay" : `${round - 1} replays`}`
      }}
    />
  )
}
