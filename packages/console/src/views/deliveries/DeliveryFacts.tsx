/** The facts of a delivery. */
import type { DeliveryDetail } from "@runhook/sdk/admin"
import { originOf } from "../../format/Ids.ts"
import { Card, Copy, Facts, Id, Moment, UntrustedText } from "../../parts/Parts.ts"
import { pathOf, pathTo } from "../../shell/Paths.ts"
import { KeyLink } from "../keys/KeyLink.tsx"

export const DeliveryFacts = ({ of }: { readonly of: DeliveryDetail }) => {
  const {
    callback_url,
    created_at,
    endpoint_id,
    event_id,
    execution_id,
    expires_at,
    key_id,
    reference,
    round,
    settled_at,
    state
  } = of
  const event = (
    <>
      <Id of={event_id} isWhole /> <Copy text={event_id} of="event id" />
    </>
  )
  const receiver = (
    <>
      <UntrustedText text={callback_url} />
      <span class="sub">
        <a href={pathTo("/deliveries", { origin: originOf(callback_url) })}>All to this receiver</a>
      </span>
    </>
  )
  const execution =
    execution_id === null ? (
      "None: this is a test"
    ) : (
      <a href={pathOf`/executions/${execution_id}`}>
        {reference === null ? <Id of={execution_id} /> : <UntrustedText text={reference} isBrief max={60} />}
      </a>
    )
  const standing = endpoint_id && (
    <a href={pathOf`/endpoints/${endpoint_id}`}>
      <Id of={endpoint_id} />
    </a>
  )
  const enqueued = <Moment at={created_at} isExact />
  const settled = settled_at === null ? null : <Moment at={settled_at} isExact />
  const latest = state === "pending" ? <Moment at={expires_at} isExact /> : null
  const rounds = round === 1 ? null : `${round}, after ${round === 2 ? "a replay" : `${round - 1} replays`}`
  return (
    <Card title="Facts">
      <Facts
        of={{
          Event: event,
          Receiver: receiver,
          Execution: execution,
          Key: key_id === null ? null : <KeyLink id={key_id} />,
          "Standing endpoint": standing,
          Enqueued: enqueued,
          [state === "delivered" ? "Delivered" : "Given up"]: settled,
          "Gives up": latest,
          Round: rounds
        }}
      />
    </Card>
  )
}
