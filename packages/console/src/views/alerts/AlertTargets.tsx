/** Who is told of alerts: webhooks and mailboxes, tried and changed here. */
import type { AlertTarget } from "@runhook/sdk/admin"
import { useState } from "preact/hooks"
import { useAction } from "../../data/useAction.ts"
import { useLoad } from "../../data/useLoad.ts"
import { useLive } from "../../live/Live.ts"
import { Button } from "../../parts/Button.tsx"
import { EmptyState } from "../../parts/EmptyState.tsx"
import { Moment } from "../../parts/Moment.tsx"
import { Note } from "../../parts/Note.tsx"
import { AskButton, Opener } from "../../parts/Opener.tsx"
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
  const [secret, setSecret] = useState<string>()
  const add = (
    <Opener kind="first" word="Add target">
      {(close) => (
        <AlertTargetForm
          of={undefined}
          onClose={close}
          onDone={(made) => {
            close()
            setSecret(made ?? secret)
            reload()
          }}
        />
      )}
    </Opener>
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
            <Target key={target.id} of={target} onChanged={reload} />
          ))}
          <p class="acts">{add}</p>
        </>
      )}
    </section>
  )
}

const Target = ({ of: target, onChanged }: { readonly of: AlertTarget; readonly onChanged: () => void }) => {
  const { targets } = account.value.alerts
  const { address, channel, id, kinds, last_error, last_sent_at, next_attempt_at, paused_until } = target
  const test = useAction(() => targets.test(id), onChanged)
  const pause = useAction(
    () =>
      targets.update(id, { paused_until: isPaused(target) ? null : new Date(now() + pauseMs).toISOString() }),
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
        <Opener word="Change…">
          {(close) => (
            <AlertTargetForm
              of={target}
              onClose={close}
              onDone={() => {
                close()
                onChanged()
              }}
            />
          )}
        </Opener>
        <AskButton
          kind="risk"
          word="Remove"
          title="Remove this target"
          act={() => targets.remove(id)}
          onDone={onChanged}
        >
          <p>
            <UntrustedText text={address} /> gets no more alerts.
          </p>
        </AskButton>
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
