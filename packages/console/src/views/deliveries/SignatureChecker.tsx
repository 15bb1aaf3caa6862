/** Says which of body, timestamp and secret is wrong. The secret is held by this component only. */
import type { DeliveryAttempt, DeliveryDetail } from "@runhook/sdk/admin"
import { useState } from "preact/hooks"
import { useAction } from "../../data/useAction.ts"
import { Button, Card, Field, Note, Status } from "../../parts/Parts.ts"
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
        <Note>
          <p>Viewers see a signature five minutes after it was made.</p>
        </Note>
      ) : sign === null ? (
        <Note>
          <p>Your browser allows this only over https or on this machine.</p>
        </Note>
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
  const {
    attempt = shown,
    secret = "",
    body = "",
    timestamp = headerOf(attempt, "x-webhook-timestamp") ?? "",
    signature = headerOf(attempt, "x-webhook-signature") ?? ""
  } = typed
  const isOther = (each: DeliveryAttempt) => keyOf(each) !== keyOf(attempt)
  const type = (what: Typed) => setTyped({ attempt, ...typed, ...what })
  const checking = useAction(() =>
    check(
      { secret, body, timestamp, signature },
      { payload: of.payload, attempt, others: of.attempts_log.filter(isOther) },
      sign
    )
  )
  return (
    <>
      <p class="quiet">
        Checks attempt {numberOf(attempt)}, in this page only: the secret you type is never sent, and is gone
        when you leave. Empty fields are not checked.
      </p>
      <form
        class="form"
        autocomplete="off"
        onSubmit={(event) => {
          event.preventDefault()
          type({})
          checking.run()
        }}
      >
        <Field label="Signing secret of the receiver">
          {(input) => (
            <input
              {...input}
              type="password"
              autocomplete="off"
              maxLength={300}
              value={secret}
              onInput={({ currentTarget }) => type({ secret: currentTarget.value })}
            />
          )}
        </Field>
        <Field label="Body, exactly as the receiver saw it">
          {(input) => (
            <textarea
              {...input}
              rows={3}
              spellcheck={false}
              value={body}
              onInput={({ currentTarget }) => type({ body: currentTarget.value })}
            />
          )}
        </Field>
        <div class="two">
          <Field label="Timestamp header">
            {(input) => (
              <input
                {...input}
                inputMode="numeric"
                value={timestamp}
                onInput={({ currentTarget }) => type({ timestamp: currentTarget.value })}
              />
            )}
          </Field>
          <Field label="Signature header">
            {(input) => (
              <input
                {...input}
                spellcheck={false}
                value={signature}
                onInput={({ currentTarget }) => type({ signature: currentTarget.value })}
              />
            )}
          </Field>
        </div>
        <p class="acts">
          <Button isSubmit isRunning={checking.isRunning}>
            Check
          </Button>
        </p>
        <div role="status">
          {checking.done === undefined ? null : (
            <dl class="facts">
              <FindingLine name="Timestamp" of={checking.done.timestamp} />
              <FindingLine name="Body" of={checking.done.body} />
              <FindingLine name="Secret" of={checking.done.secret} />
              <FindingLine name="Signature" of={checking.done.signature} />
            </dl>
          )}
        </div>
      </form>
    </>
  )
}

const FindingLine = ({ name, of: { isRight, words } }: { readonly name: string; readonly of: Finding }) => (
  <>
    <dt>
      <Status of={isRight === null ? "untried" : isRight ? "delivered" : "failed"} word={name} />
    </dt>
    <dd>{words}</dd>
  </>
)
