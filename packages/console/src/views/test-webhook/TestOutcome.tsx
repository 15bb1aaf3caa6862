/** One test webhook: its steps as they happen. */
import { useAction, useLive, useLoad } from "../../data/Data.ts"
import { Button, JsonTree, Moment, Outcome, ProblemNote, UntrustedText } from "../../parts/Parts.ts"
import { account } from "../../session/Session.ts"
import { pathOf } from "../../shell/Shell.ts"
import { stepsOf, type TestStep } from "./TestSteps.ts"

const classes = { done: "done", fail: "fail", now: undefined, next: "quiet" } as const

export const TestOutcome = ({ id }: { readonly id: string }) => {
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
          <Button isChange isRunning={tryNow.isRunning} onPress={tryNow.run}>
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
