/** The execution's question, with a form for the answer, generated from its schema. */
import type { InputRequest } from "@runhook/sdk/admin"
import { useAction } from "../../data/Data.ts"
import { durationWords } from "../../format/Amounts.ts"
import { Button, Form, Note, Outcome, UntrustedText } from "../../parts/Parts.ts"
import { useSchemaDraft } from "../../parts/form/useSchemaDraft.ts"
import { SchemaForm } from "../../parts/form/SchemaForm.tsx"
import { account } from "../../session/Session.ts"

export interface QuestionProps {
  readonly executionId: string
  readonly of: InputRequest
  readonly now: number
  readonly onAnswered: () => void
}

const ends: { readonly [onTimeout: string]: string } = {
  error: "Ends as an error in",
  cancel: "Is cancelled in",
  default: "Goes on with its own answer in"
}

export const Question = ({ executionId, now, of, onAnswered }: QuestionProps) => {
  const form = useSchemaDraft(of.schema)
  const reading = form.read()
  const answer = useAction(
    () =>
      account.value.executions.answer(
        { execution_id: executionId, input_id: of.input_id },
        { value: form.read().value ?? null }
      ),
    onAnswered
  )
  const isUnread = Object.keys(reading.wrong).length > 0
  const leftMs = Date.parse(of.expires_at) - now
  return (
    <Note
      tone="warn"
      icon="ask"
      title="Input needed"
      more={
        <Form
          noValidate
          onSubmit={() => {
            if (!isUnread) answer.run()
          }}
        >
          <SchemaForm
            {...form}
            label="Answer"
            wrong={answer.problem === undefined ? () => undefined : form.wrongWith(answer.problem)}
          />
          <p class="acts">
            <Button kind="first" isSubmit isChange isRunning={answer.isRunning}>
              Answer
            </Button>
            <span class="small">
              {leftMs <= 0 ? (
                "Its time is over."
              ) : (
                <>
                  {ends[of.on_timeout] ?? "Ends in"} <strong class="num">{durationWords(leftMs)}</strong>
                </>
              )}
            </span>
          </p>
          <Outcome problem={answer.problem} />
        </Form>
      }
    >
      <UntrustedText text={of.prompt} max={4_000} />
    </Note>
  )
}
