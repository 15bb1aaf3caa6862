/** Who is told of alerts: webhooks and mailboxes, tried and changed here. */
import type { AlertTarget } from "@runhook/sdk/admin"
import { useState } from "preact/hooks"
import { useAction } from "../../data/useAction.ts"
import { useLoad } from "../../data/useLoad.ts"
import { useLive } from "../../live/Live.ts"
import { Ask } from "../../parts/Ask.tsx"
import { Button } from "../../parts/Button.tsx"
import { EmptyState } from "../../parts/EmptyState.tsx"
import { Moment } from "../../parts/Moment.tsx"
import { Note } from "../../parts/Note.tsx"
import { Outcome, ProblemNote } from "../../parts/problem/ProblemNote.tsx"
import { Status } from "../../parts/Status.tsx"
import { UntrustedText } from "../../parts/UntrustedText.tsx"
import { account } from "../../session/Session.ts"
import { now } from "../../time/Clock.ts"
import { ShownOnce } from "../keys/ShownOnce.tsx"
import { AlertTargetForm } from "./AlertTargetForm.tsx"
import { kindsWords } from "./AlertWords.ts"

/** A pause that the button makes, in milliseconds. */
const pauseMs = 24 * 3_600_000

const isPaused = ({ paused_until: at }: AlertTarget): boolean => at !== null && Date.parse(at) > now()

export const AlertTargets = () => {
  const { targets } = account.value.alerts
  const { data, error, reload } = useLoad(`alert targets ${account.value.id}`, (signal) =>
    targets.list({ signal })
  )
  useLive("audit", reload)
  const [asked, setAsked] = useState<"new" | AlertTarget>()
  const [removed, setRemoved] = useState<AlertTarget>()
  const [secret, setSecret] = useState<string>()
  const add = (
    <Button kind="first" isChange onPress={() => setAsked("new")}>
      Add target
    </Button>
  )
  return (
    <section class="stack" aria-labelledby="targets">
      <h2 id="targets">Who is told</h2>
      {error === undefined ? null : <ProblemNote error={error} what="list of targets" onRetry={reload} />}
      {secret === undefined ? null : (
        <div class="card">
          <ShownOnce secrets={{ signingSecret: secret }} name="alerts" onDone={() => setSecret(undefined)} />
        </div>
      )}
      {data === undefined ? null : data.data.length === 0 ? (
        <EmptyState title="Nobody is told yet" action={add}>
          A target is a webhook, such as that of a chat, or a mailbox.
        </EmptyState>
      ) : (
        <>
          {data.data.map((target) => (
            <Target
              key={target.id}
              of={target}
              onChanged={reload}
              onChange={() => setAsked(target)}
              onRemove={() => setRemoved(target)}
            />
          ))}
          <p class="acts">{add}</p>
        </>
      )}
      {asked === undefined ? null : (
        <AlertTargetForm
          of={asked === "new" ? undefined : asked}
          onClose={() => setAsked(undefined)}
          onDone={(made) => {
            setAsked(undefined)
            setSecret(made ?? secret)
            reload()
          }}
        />
      )}
      <Ask
        of={removed}
        title="Remove this target"
        word="Remove"
        act={({ id }) => targets.remove(id)}
        onClose={() => setRemoved(undefined)}
        onDone={reload}
      >
        {({ address }) => (
          <p>
            <UntrustedText text={address} /> gets no more alerts.
          </p>
        )}
      </Ask>
    </section>
  )
}

interface TargetProps {
  readonly of: AlertTarget
  readonly onChanged: () => void
  readonly onChange: () => void
  readonly onRemove: () => void
}

const Target = ({ of: target, onChange, onChanged, onRemove }: TargetProps) => {
  const { targets } = account.value.alerts
  const { address, channel, id, kinds, last_error, last_sent_at, next_attempt_at, paused_until } = target
  const test = useAction(() => targets.test(id), onChanged)
  const pause = useAction(
    () =>
      targets.update(id, {
        paused_until: isPaused(target) ? null : new Date(now() + pauseMs).toISOString()
      }),
    onChanged
  )
  const answer = test.done
  return (
    <article class="card target" aria-label={address}>
      <div>
        <h3>
          <UntrustedText text={address} />
        </h3>
        <p class="quiet">
          {channel === "email" ? "E-mail" : "Webhook"}. {kindsWords(kinds)}
        </p>
        <p>
          {isPaused(target) ? (
            <>
              <Status of="paused" /> until <Moment at={paused_until} />
            </>
          ) : last_error !== null ? (
            <>
              <Status of="failing" word="Last message refused" />: <UntrustedText text={last_error} />
              {next_attempt_at === null ? null : (
                <>
                  {" "}
                  Tried again <Moment at={next_attempt_at} />.
                </>
              )}
            </>
          ) : last_sent_at === null ? (
            <Status of="untried" word="No alert sent yet" />
          ) : (
            <>
              <Status of="healthy" word="Last alert sent" /> <Moment at={last_sent_at} />
            </>
          )}
        </p>
      </div>
      <p class="acts">
        <Button isChange isRunning={test.isRunning} onPress={test.run}>
          Send test
        </Button>
        <Button isChange isRunning={pause.isRunning} onPress={pause.run}>
          {isPaused(target) ? "Resume" : "Pause for a day"}
        </Button>
        <Button isChange onPress={onChange}>
          Change…
        </Button>
        <Button kind="risk" isChange onPress={onRemove}>
          Remove…
        </Button>
      </p>
      <Outcome problem={test.problem ?? pause.problem}>
        {answer === undefined ? null : answer.taken ? (
          <Note tone="good">
            <p>The test was accepted.</p>
          </Note>
        ) : (
          <Note tone="bad">
            <p>
              The test was not accepted: <UntrustedText text={answer.error ?? "no reason given"} />
            </p>
          </Note>
        )}
      </Outcome>
    </article>
  )
}
