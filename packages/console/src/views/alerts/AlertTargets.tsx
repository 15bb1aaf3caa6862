/** Who is told of alerts: webhooks and mailboxes, tried and changed here. */
import type { AlertTarget } from "@runhook/sdk/admin"
import { useAction, useLive, useLoad } from "../../data/Data.ts"
import { AskButton, Button, EmptyState, Loaded, Moment, Note, Opener, Outcome } from "../../parts/Parts.ts"
import { prose, Section, Status, UntrustedText } from "../../parts/Parts.ts"
import { account } from "../../session/Session.ts"
import { now } from "../../time/Clock.ts"
import { useNewSecrets } from "../keys/ShownOnce.tsx"
import { AlertTargetForm } from "./AlertTargetForm.tsx"
import { kindsWords } from "./AlertWords.ts"

/** A pause that the button makes, in milliseconds. */
const pauseMs = 24 * 3_600_000

const isPaused = ({ paused_until: at }: AlertTarget): boolean => at !== null && Date.parse(at) > now()

export const AlertTargets = () => {
  const { targets } = account.value.alerts
  const loaded = useLoad("alert targets", (signal) => targets.list({ signal }))
  const { reload } = loaded
  useLive("audit", reload)
  const secrets = useNewSecrets()
  const added = (signingSecret: string | undefined) => {
    if (signingSecret !== undefined) secrets.show({ signingSecret }, "alerts")
    reload()
  }
  const add = (
    <Opener kind="first" word="Add target" onDone={added}>
      {(dialog) => <AlertTargetForm {...dialog} />}
    </Opener>
  )
  return (
    <Section title="Who is told">
      <div class="stack">
        {secrets.card}
        <Loaded of={loaded} what="list of targets" lines={2}>
          {({ data }) =>
            data.length === 0 ? (
              <EmptyState title="Nobody is told yet" action={add}>
                A target is a webhook, such as that of a chat, or a mailbox.
              </EmptyState>
            ) : (
              <>
                {data.map((target) => (
                  <Target key={target.id} of={target} onChanged={reload} />
                ))}
                <p class="acts">{add}</p>
              </>
            )
          }
        </Loaded>
      </div>
    </Section>
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
            prose`${<Status of="paused" />} until ${<Moment at={paused_until} />}`
          ) : last_error !== null ? (
            <>
              <Status of="failing" word="Last message refused" />: <UntrustedText text={last_error} />
              {next_attempt_at === null ? null : prose`; next attempt at ${<Moment at={next_attempt_at} />}`}
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
        <Button isChange action={test}>
          Send test
        </Button>
        <Button isChange action={pause}>
          {isPaused(target) ? "Resume" : "Pause for a day"}
        </Button>
        <Opener word="Change…" onDone={onChanged}>
          {(dialog) => <AlertTargetForm of={target} {...dialog} />}
        </Opener>
        <AskButton
          kind="risk"
          word="Remove"
          title="Remove this target"
          act={() => targets.remove(id)}
          onDone={onChanged}
        >
          <UntrustedText text={address} /> gets no more alerts.
        </AskButton>
      </p>
      <Outcome problem={test.problem ?? pause.problem}>
        {answer === undefined ? null : answer.taken ? (
          <Note tone="good">The test was accepted.</Note>
        ) : (
          <Note tone="bad">
            The test was not accepted: <UntrustedText text={answer.error ?? "no reason given"} />
          </Note>
        )}
      </Outcome>
    </article>
  )
}
