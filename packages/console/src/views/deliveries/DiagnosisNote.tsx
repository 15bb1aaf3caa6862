/** The diagnosis: what is wrong, the likely cause, and what to do. */
import type { DeliveryDetail } from "@runhook/sdk/admin"
import { Card, Note } from "../../parts/Parts.ts"
import { DeliveryActions } from "./DeliveryActions.tsx"
import type { Evidence } from "./Case.ts"
import { diagnose } from "./Diagnosis.ts"
import { SentenceText } from "./SentenceText.tsx"
import { say } from "./Sentence.ts"

export interface DiagnosisNoteProps {
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
    <Note tone={tone} title={<SentenceText of={title} />} icon={tone === "warn" ? "clock" : "alert"}>
      <p>
        <SentenceText of={text} />
      </p>
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
    </Note>
  )
}

const calmTitle = ({ settled_at, state, waiting_for, next_attempt_at }: DeliveryDetail) => {
  if (state === "delivered" && settled_at !== null)
    return <SentenceText of={say`Delivered at ${{ at: settled_at }}`} />
  if (state === "cancelled") return "Given up by an operator"
  if (waiting_for === "sending") return "On its way"
  if (waiting_for === "earlier_event") return "Waits for an earlier event of its execution"
  return waiting_for === null || next_attempt_at === null ? (
    "Due now"
  ) : (
    <SentenceText of={say`Goes out at ${{ at: next_attempt_at }}`} />
  )
}
