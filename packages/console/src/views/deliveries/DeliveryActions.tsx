/** The actions on a delivery, with their results. */
import type { DeliveryDetail } from "@runhook/sdk/admin"
import { useAction } from "../../data/Data.ts"
import { Button, Code, Icon, Moment, Outcome } from "../../parts/Parts.ts"
import { account, isAdmin } from "../../session/Session.ts"
import { useShortcut } from "../../shell/Shell.ts"

export interface DeliveryActionsProps {
  readonly of: DeliveryDetail
  /** Called after a change. */
  readonly onChange: () => void
}

export const DeliveryActions = ({
  of: { id, round, state, waiting_for },
  onChange
}: DeliveryActionsProps) => {
  const replay = useAction(() => account.value.deliveries.replay(id), onChange)
  const tryNow = useAction(() => account.value.deliveries.tryNow(id), onChange)
  const curl = useAction(async () => {
    const signed = await account.value.deliveries.curl(id)
    // If the browser refuses, the command is shown below.
    const isCopied = await navigator.clipboard.writeText(signed.command).then(
      () => true,
      () => false
    )
    return { ...signed, isCopied }
  })
  const isSettled = state !== "pending"
  useShortcut(
    "r",
    isSettled ? "Replay" : "Try now",
    isAdmin.value ? (isSettled ? replay.run : tryNow.run) : undefined
  )
  useShortcut("c", "Copy as curl", isAdmin.value ? curl.run : undefined)
  return (
    <>
      <div class="acts">
        {isSettled ? (
          <Button isChange kind="first" isRunning={replay.isRunning} onPress={replay.run}>
            <Icon name="again" />
            Replay
          </Button>
        ) : (
          <Button
            isChange
            kind="first"
            isRunning={tryNow.isRunning}
            onPress={tryNow.run}
            why={waiting_for === "sending" ? "It is being sent at this moment." : undefined}
          >
            <Icon name="again" />
            Try now
          </Button>
        )}
        <Button isChange isRunning={curl.isRunning} onPress={curl.run}>
          <Icon name="copy" />
          Copy as curl, freshly signed
        </Button>
      </div>
      <Outcome problem={replay.problem ?? tryNow.problem ?? curl.problem}>
        {replay.done === undefined || replay.done.round !== round ? null : (
          <p>
            {isSettled ? `Round ${round} is over: ${state}.` : `Sent again, round ${round}: it goes out now.`}
          </p>
        )}
        {tryNow.done === undefined ? null : <p>{isSettled ? `Tried: ${state}.` : "It goes out now."}</p>}
      </Outcome>
      {curl.done === undefined ? null : (
        <>
          <p>
            {curl.done.isCopied ? "Copied. " : "Your browser did not allow copying it; here it is. "}
            The signature is accepted until <Moment at={curl.done.expires_at} isExact />. It has the same
            event id and body, and is in the audit log.
          </p>
          <Code text={curl.done.command} of="command" />
        </>
      )}
    </>
  )
}
