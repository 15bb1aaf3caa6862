/** Sends a test event to a URL, and shows the result step by step. */
import type { Key } from "@runhook/sdk/admin"
import { useState } from "preact/hooks"
import { useAction, useLive, useLoad } from "../../data/Data.ts"
import { choicesOf, isUsable } from "../../format/Choices.ts"
import { Button, Card, ChoiceField, EmptyState, Form, JsonTree, Loaded, Moment } from "../../parts/Parts.ts"
import { Outcome, ProblemNote, TextField, UntrustedText } from "../../parts/Parts.ts"
import { account } from "../../session/Session.ts"
import { inboxOf } from "../overview/FirstCall.ts"
import { Head, pathOf, pathTo } from "../../shell/Shell.ts"
import { stepsOf, type TestStep } from "./TestSteps.ts"
import { serviceUrl } from "../../shell/Location.ts"

interface TestWebhookProps {
  /** The keys whose signing secret may sign it; with several, the user chooses. */
  readonly keys: ReadonlyArray<Pick<Key, "id" | "name">>
}

/** Deliveries that are searched for URLs to suggest, and how many are suggested. */
const lookedAt = 50
const suggestedMax = 8

export const TestWebhook = ({ keys }: TestWebhookProps) => {
  const [keyId, setKeyId] = useState<string>()
  const key = keys.find(({ id }) => id === keyId) ?? keys[0]
  const [url, setUrl] = useState<string>()
  const recent = useLoad(`urls of ${key?.id}`, async (signal) => {
    const { data } = await account.value.deliveries.list({ limit: lookedAt }, { signal }).page()
    const urls = data.filter(({ key_id }) => key_id === key?.id).map(({ callback_url }) => callback_url)
    return [...new Set(urls)].slice(0, suggestedMax)
  })
  const target = url ?? recent.data?.[0] ?? (recent.isLoading ? "" : inboxOf(serviceUrl()))
  const test = useAction(() =>
    account.value.webhooks.test({ key_id: key?.id ?? "", callback_url: target.trim() })
  )

  return (
    <Card title="Test webhook">
      <Form class="tools" onSubmit={test.run}>
        {keys.length > 1 ? (
          <ChoiceField label="Signed by" value={key?.id ?? ""} onText={setKeyId} options={choicesOf(keys)} />
        ) : null}
        <TextField
          label="Send to"
          isWide
          wrong={test.wrong("callback_url")}
          type="url"
          required
          maxLength={2_048}
          placeholder="https://your-system.example/hooks"
          known={recent.data ?? []}
          value={target}
          // While the field has the focus, no suggestion replaces its text.
          onFocus={() => setUrl(target)}
          onText={setUrl}
        />
        <Button
          kind="first"
          isSubmit
          isChange
          isRunning={test.isRunning}
          why={key === undefined ? "A test is signed with the secret of a key: create one first." : undefined}
        >
          Send
        </Button>
      </Form>
      {test.problem !== undefined && test.wrong("callback_url") === undefined ? (
        <Outcome problem={test.problem} />
      ) : null}
      {test.done === undefined ? (
        <p class="small quiet">An event of type webhook.test, signed like every other.</p>
      ) : (
        <TestOutcome key={test.done.delivery_id} id={test.done.delivery_id} />
      )}
    </Card>
  )
}

/** The test webhook on its own page. */
export const TestPage = () => {
  const keys = useLoad("keys", (signal) => account.value.keys.list({ limit: 200 }, { signal }).page())
  return (
    <>
      <Head title="Test a receiver">
        See what a receiver does with a signed event, before real ones arrive.
      </Head>
      <Loaded of={keys} what="key" lines={3}>
        {({ data }) =>
          data.some(isUsable) ? (
            <TestWebhook keys={data.filter(isUsable)} />
          ) : (
            <EmptyState title="No key yet" action={<a href={pathTo("/keys/new")}>Create a key</a>}>
              A test is signed with the secret of a key.
            </EmptyState>
          )
        }
      </Loaded>
    </>
  )
}

const classes = { done: "done", fail: "fail", now: undefined, next: "quiet" } as const

/** One test webhook: its steps as they happen. */
const TestOutcome = ({ id }: { readonly id: string }) => {
  const {
    data: delivery,
    error,
    reload
  } = useLoad(`test ${id}`, (signal) => account.value.deliveries.get(id, { signal }))
  useLive({ kind: "delivery", id }, reload)
  const tryNow = useAction(() => account.value.deliveries.tryNow(id), reload)
  if (error !== undefined && delivery === undefined)
    return <ProblemNote error={error} what="delivery" onRetry={reload} />
  if (delivery === undefined) return null
  const { next_attempt_at: nextAt, state, waiting_for: reason } = delivery
  const body = delivery.attempts_log.at(-1)?.response?.body ?? ""
  const isWaiting = state === "pending" && reason !== null && reason !== "sending"
  return (
    <div role="status" class="stack">
      <ol class="steps">
        {stepsOf(delivery).map((step) => (
          <li key={step.title} class={classes[step.state]}>
            <Step of={step} />
          </li>
        ))}
      </ol>
      {body === "" ? null : <JsonTree text={body} name="answer body" />}
      <p class="acts">
        {isWaiting ? (
          <Button isChange action={tryNow}>
            Try now
          </Button>
        ) : null}
        <a href={pathOf`/deliveries/${id}`}>Open the delivery</a>
        {isWaiting && delivery.attempts_log.length > 0 ? (
          <span class="quiet">
            Next attempt at <Moment at={nextAt} />
          </span>
        ) : null}
      </p>
      {tryNow.problem === undefined ? null : <Outcome problem={tryNow.problem} />}
    </div>
  )
}

const Step = ({ of: { at, error, hint, state, title } }: { readonly of: TestStep }) => (
  <div>
    <p class={state === "fail" ? "bad" : undefined}>
      {state === "fail" ? <strong>{title}</strong> : title} <Moment at={at} isExact />
    </p>
    {hint === undefined ? null : <p>{hint}</p>}
    {error === undefined ? null : (
      <p class="small quiet">
        <UntrustedText text={error} />
      </p>
    )}
  </div>
)
