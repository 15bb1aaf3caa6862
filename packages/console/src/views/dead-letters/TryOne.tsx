/** Replays one dead letter of a group first, and shows the result before the others follow. */
import type { Delivery } from "@runhook/sdk/admin"
import { useState } from "preact/hooks"
import { useAction, useLive, useLoad } from "../../data/Data.ts"
import { originOf, urlWords } from "../../format/Ids.ts"
import { Button, Moment, Note, Outcome, UntrustedText } from "../../parts/Parts.ts"
import { account } from "../../session/Session.ts"
import { pathOf } from "../../shell/Shell.ts"
import { failureWords } from "../deliveries/DeliveryWords.ts"

export interface TryOneProps {
  /** The newest of the group when the dialog opened. */
  readonly newest: Delivery
  /** Called when it is no longer a dead letter. */
  readonly onTried: () => void
}

export const TryOne = ({ newest, onTried }: TryOneProps) => {
  // After the attempt another delivery is the newest; the result belongs to this one.
  const [dead] = useState(newest)
  const { data: delivery = dead, reload } = useLoad(`one ${dead.id}`, (signal) =>
    account.value.deliveries.get(dead.id, { signal })
  )
  useLive({ kind: "delivery", id: dead.id }, reload)
  const one = useAction(
    () => account.value.deliveries.replay(dead.id),
    () => {
      reload()
      onTried()
    }
  )
  const isTried = one.done !== undefined && delivery.round === one.done.round
  const link = <a href={pathOf`/deliveries/${dead.id}`}>Open the delivery</a>
  if (isTried && delivery.state === "delivered") {
    return (
      <Note tone="good" title="Delivered. You can replay the others.">
        {link}
      </Note>
    )
  }
  if (isTried && delivery.attempts > 0 && delivery.waiting_for !== "sending") {
    return (
      <Note
        tone="bad"
        title={`It failed again, with ${failureWords(delivery) ?? "no answer"}. The others would fail too.`}
      >
        It is still being retried. {link}
      </Note>
    )
  }
  return (
    <Note
      tone={isTried ? "run" : "warn"}
      title={
        isTried ? (
          "One is being sent."
        ) : (
          <>
            The last one to <UntrustedText text={urlWords(originOf(dead.callback_url))} isBrief max={60} />{" "}
            failed at <Moment at={dead.settled_at} /> with {failureWords(dead) ?? "no answer"}.
          </>
        )
      }
      acts={
        isTried ? null : (
          <Button isChange action={one}>
            Try one first
          </Button>
        )
      }
      more={one.problem === undefined ? null : <Outcome problem={one.problem} />}
    >
      {isTried ? link : "If it is not fixed, all to it will fail again."}
    </Note>
  )
}
