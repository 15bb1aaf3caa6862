/** What needs the user's attention: a line each, the worst first, and at most five. */
import type { ComponentChildren } from "preact"
import { useState } from "preact/hooks"
import { boundedWords, countWords, durationWords } from "../../format/Amounts.ts"
import { Card, Icon, type IconName, Moment, NameLink, Note, prose, UntrustedText } from "../../parts/Parts.ts"
import { pathOf, pathTo } from "../../shell/Shell.ts"
import { now } from "../../time/Clock.ts"
import type { Need } from "./Need.ts"

const shownMax = 5

export interface NeedsProps {
  readonly of: ReadonlyArray<Need>
  /** When the data was loaded, in milliseconds. */
  readonly checkedAt: number
}

export const Needs = ({ checkedAt, of }: NeedsProps) => {
  const [isWhole, setWhole] = useState(false)
  const shown = isWhole ? of : of.slice(0, shownMax)
  return (
    <Card title="Needs you" class="needs">
      {of.length === 0 ? (
        <Note tone="good">
          Nothing needs you. <span class="quiet">Checked at</span>{" "}
          <Moment at={new Date(checkedAt).toISOString()} />
        </Note>
      ) : (
        <ul class="card">
          {shown.map((need) => (
            <NeedLine key={keyOf(need)} of={need} />
          ))}
        </ul>
      )}
      {of.length > shown.length ? (
        <button type="button" class="bare" onClick={() => setWhole(true)}>
          Show {of.length - shown.length} more
        </button>
      ) : null}
    </Card>
  )
}

const keyOf = (need: Need): string => {
  switch (need._tag) {
    case "Receiver":
      return need.receiver.origin
    case "Input":
      return need.execution.id
    case "Unserved":
      return need.agent.id
    case "KeyEnds":
      return need.key.id
  }
}

const NeedLine = ({ of: need }: { readonly of: Need }) => {
  switch (need._tag) {
    case "Receiver":
      return <ReceiverNeed of={need} />
    case "Input":
      return (
        <Line
          tone="warn"
          icon="ask"
          href={pathOf`/executions/${need.execution.id}`}
          name={need.execution.reference}
        >
          needs input: <UntrustedText text={need.execution.input_request?.prompt ?? ""} max={120} isBrief />{" "}
          <span class="quiet num">{durationWords(Math.max(0, Date.parse(need.expiresAt) - now()))} left</span>
        </Line>
      )
    case "Unserved":
      return (
        <Line tone="warn" icon="alert" href={pathOf`/agents/${need.agent.id}`} name={need.agent.name}>
          has no runner: {countWords(need.agent.queued)} waiting,{" "}
          {need.agent.last_seen_at === null
            ? "none has ever served it"
            : prose`the last one seen ${<Moment at={need.agent.last_seen_at} />}`}
        </Line>
      )
    case "KeyEnds":
      return (
        <Line tone="quiet" icon="lock" href={pathOf`/keys/${need.key.id}`} name={need.key.name}>
          expires <Moment at={need.endsAt} /> and was last used <Moment at={need.key.last_used_at} />
        </Line>
      )
  }
}

const ReceiverNeed = ({ of }: { readonly of: Extract<Need, { readonly _tag: "Receiver" }> }) => {
  const { dead, last_success_at, origin, waiting } = of.receiver
  return (
    <Line
      tone="bad"
      icon="dead"
      href={pathTo("/deliveries", { origin })}
      name={origin.replace(/^https:\/\//, "")}
      act={dead === 0 ? null : <a href={pathTo("/dead-letters")}>Replay when fixed</a>}
    >
      <strong>{of.word.charAt(0).toLowerCase() + of.word.slice(1)}</strong>:{" "}
      {[
        dead === 0 ? [] : `${boundedWords(dead)} dead ${dead === 1 ? "letter" : "letters"}`,
        waiting === 0 ? [] : `${boundedWords(waiting)} waiting`
      ]
        .flat()
        .join(", ")}
      {last_success_at === null
        ? ", nothing ever delivered"
        : prose`, last success ${<Moment at={last_success_at} />}`}
    </Line>
  )
}

interface LineProps {
  readonly tone: "bad" | "warn" | "quiet"
  readonly icon: IconName
  readonly href: string
  readonly name: string
  readonly act?: ComponentChildren
  readonly children: ComponentChildren
}

const Line = ({ act, children, href, icon, name, tone }: LineProps) => (
  <li>
    <span class={`st ${tone}`}>
      <Icon name={icon} />
    </span>
    <p>
      <NameLink href={href} text={name} max={60} /> {children}
    </p>
    {act}
  </li>
)
