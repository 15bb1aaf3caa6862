/** Says which of body, timestamp and secret is wrong. The secret is held by this component only. */
import type { DeliveryAttempt, DeliveryDetail } from "@runhook/sdk/admin"
import { useState } from "preact/hooks"
import { useAction } from "../../data/Data.ts"
import { sentenceCase } from "../../format/Amounts.ts"
import { Button, Card, Facts, Form, Note, Status, TextField } from "../../parts/Parts.ts"
import { keyOf, numberOf } from "./Attempts.tsx"
import {
  check,
  type CheckInput,
  type Finding,
  headerOf,
  type SentRequest,
  type Signer,
  webSigner
} from "./SignatureCheck.ts"

export interface SignatureCheckerProps {
  readonly of: DeliveryDetail
  readonly attempt: DeliveryAttempt
}

export const SignatureChecker = ({ attempt, of }: SignatureCheckerProps) => {
  const sign = webSigner(globalThis.crypto?.subtle)
  return (
    <Card title="Signature checker" id="check">
      {headerOf(attempt, "x-webhook-signature") === "masked" ? (
        <Note>Viewers see a signature five minutes after it was made.</Note>
      ) : sign === null ? (
        <Note>Your browser allows this only over https or on this machine.</Note>
      ) : (
        <Checker of={of} attempt={attempt} sign={sign} />
      )}
    </Card>
  )
}

/** The attempt is the one that was shown when the user began to type: a later one does not take its place. */
type Typed = Partial<CheckInput & Pick<SentRequest, "attempt">>

const Checker = ({ attempt: shown, of, sign }: SignatureCheckerProps & { readonly sign: Signer }) => {
  const [typed, setTyped] = useState<Typed>({})
  const { attempt = shown } = typed
  const values: CheckInput = {
    secret: "",
    body: "",
    timestamp: headerOf(attempt, "x-webhook-timestamp") ?? "",
    signature: headerOf(attempt, "x-webhook-signature") ?? "",
    ...typed
  }
  const isOther = (each: DeliveryAttempt) => keyOf(each) !== keyOf(attempt)
  const type = (what: Typed) => setTyped({ attempt, ...typed, ...what })
  const field = (name: keyof CheckInput) => ({
    value: values[name],
    onText: (text: string) => type({ [name]: text })
  })
  const checking = useAction(() =>
    check(values, { payload: of.payload, attempt, others: of.attempts_log.filter(isOther) }, sign)
  )
  return (
    <>
      <p class="quiet">
        Checks attempt {numberOf(attempt)}, in this page only: the secret you type is never sent, and is gone
        when you leave. Empty fields are not checked.
      </p>
      <Form
        onSubmit={() => {
          type({})
          checking.run()
        }}
      >
        <TextField
          {...field("secret")}
          label="Signing secret of the receiver"
          type="password"
          maxLength={300}
        />
        <TextField {...field("body")} label="Body, exactly as the receiver saw it" rows={3} isCode />
        <div class="two">
          <TextField {...field("timestamp")} label="Timestamp header" inputMode="numeric" />
          <TextField {...field("signature")} label="Signature header" />
        </div>
        <p class="acts">
          <Button isSubmit isRunning={checking.isRunning}>
            Check
          </Button>
        </p>
        <div role="status">
          {checking.done === undefined ? null : <Facts of={Object.entries(checking.done).map(factOf)} />}
        </div>
      </Form>
    </>
  )
}

const factOf = ([name, { isRight, words }]: readonly [string, Finding]) =>
  [
    <Status
      key={name}
      of={isRight === null ? "untried" : isRight ? "delivered" : "failed"}
      word={sentenceCase(name)}
    />,
    words
  ] as const
