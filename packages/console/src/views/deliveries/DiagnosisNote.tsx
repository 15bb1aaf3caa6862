/** The diagnosis: what is wrong, the likely cause, and what to do. */
import type { DeliveryDetail } from "@runhook/sdk/admin"
import { Button, Card, Code, Icon, Moment, Note, Outcome } from "../../parts/Parts.ts"
import type { Evidence } from "./Case.ts"
import { lastAnswerOf } from "./DeliveryWords.ts"
import { diagnose } from "./Diagnosis.ts"
import { SentenceText } from "./SentenceText.tsx"
import { say } from "./Sentence.ts"
import { useAction } from "../../data/Data.ts"
import { account, isAdmin } from "../../session/Session.ts"
import { useShortcut } from "../../shell/Shell.ts"

interface DiagnosisNoteProps {
  readonly of: DeliveryDetail
  readonly evidence: Evidence
  readonly onChange: () => void
}

export const DiagnosisNote = ({ evidence, of, onChange }: DiagnosisNoteProps) => {
  const diagnosis = diagnose(of, evidence)
  const acts = <DeliveryActions of={of} onChange={onChange} />
  if (diagnosis === null) return <Card title={calmTitle(of)}>{acts}</Card>
  const { checksSignature, steps, text, title, tone } = diagnosis
  return (
    <Note
      tone={tone}
      title={<SentenceText of={title} />}
      icon={tone === "warn" ? "clock" : "alert"}
      more={
        <>
          {steps.length === 0 ? null : (
            <ol>
              {steps.map((step, at) => (
                <li key={at}>
                  <SentenceText of={step} />
                </li>
              ))}
            </ol>
          )}
          {checksSignature === true ? (
            <p>
              <a href="#check">Check one signature</a>
            </p>
          ) : null}
          {acts}
        </>
      }
    >
      <SentenceText of={text} />
    </Note>
  )
}

const calmTitle = (of: DeliveryDetail) => {
  if (of.state === "cancelled") return "Given up by an operator"
  const isDelivered = of.state === "delivered" && of.settled_at !== null
  return (
    <SentenceText of={isDelivered ? say`Delivered at ${{ at: of.settled_at }}` : lastAnswerOf(of).words} />
  )
}

interface DeliveryActionsProps {
  readonly of: DeliveryDetail
  readonly onChange: () => void
}

/** The actions on a delivery, with their results. */
const DeliveryActions = ({ of: { id, round, state, waiting_for }, onChange }: DeliveryActionsProps) => {
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
          <Button isChange kind="first" action={replay}>
            <Icon name="again" />
            Replay
          </Button>
        ) : (
          <Button
            isChange
            kind="first"
            action={tryNow}
            why={waiting_for === "sending" ? "It is being sent at this moment." : undefined}
          >
            <Icon name="again" />
            Try now
          </Button>
        )}
        <Button isChange action={curl}>
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
