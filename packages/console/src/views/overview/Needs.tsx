/** What needs the user's attention: the worst first, and at most five. */
import type { ComponentChildren } from "preact"
import { useState } from "preact/hooks"
import { durationWords } from "../../format/Amounts.ts"
import { Moment } from "../../parts/Moment.tsx"
import { Note } from "../../parts/Note.tsx"
import { UntrustedText } from "../../parts/UntrustedText.tsx"
import { pathOf, pathTo } from "../../shell/Paths.ts"
import { now } from "../../time/Clock.ts"
import { boundedWords } from "../receivers/ReceiverWords.ts"
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
    <section class="stack needs" aria-labelledby="needs">
      <h2 id="needs">Needs you</h2>
      {of.length === 0 ? (
        <Note tone="good">
          <p>
            Nothing needs you. <span class="quiet">Checked at</span>{" "}
            <Moment at={new Date(checkedAt).toISOString()} />
          </p>
        </Note>
      ) : (
        shown.map((need) => <NeedNote key={keyOf(need)} of={need} />)
      )}
      {of.length > shown.length ? (
        <p>
          <button type="button" class="bare" onClick={() => setWhole(true)}>
            and {of.length - shown.length} more
          </button>
        </p>
      ) : null}
    </section>
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

const NeedNote = ({ of: need }: { readonly of: Need }) => {
  switch (need._tag) {
    case "Receiver":
      return <ReceiverNeed of={need} />
    case "Input":
      return (
        <Line tone="warn" icon="ask">
          <a href={pathOf`/executions/${need.execution.id}`}>
            <UntrustedText text={need.execution.reference} max={60} isBrief />
          </a>{" "}
          asks for an answer:{" "}
          <UntrustedText text={need.execution.input_request?.prompt ?? ""} max={120} isBrief />{" "}
          <strong class="num">{durationWords(Math.max(0, Date.parse(need.expiresAt) - now()))}</strong> are
          left.
        </Line>
      )
    case "Unserved":
      return (
        <Line tone="warn" icon="alert">
          <strong class="num">{boundedWords(need.agent.queued, 100_000)}</strong>{" "}
          {need.agent.queued === 1 ? "execution waits" : "executions wait"} for{" "}
          <a href={pathOf`/agents/${need.agent.id}`}>
            <UntrustedText text={need.agent.name} max={60} isBrief />
          </a>
          :{" "}
          {need.agent.last_seen_at === null ? (
            "no runner has ever served it."
          ) : (
            <>
              no runner has served it since <Moment at={need.agent.last_seen_at} />.
            </>
          )}
        </Line>
      )
    case "KeyEnds":
      return (
        <Line tone="quiet" icon="lock">
          Key{" "}
          <a href={pathOf`/keys/${need.key.id}`}>
            <UntrustedText text={need.key.name} max={60} isBrief />
          </a>{" "}
          expires on <Moment at={need.endsAt} /> and was last used at <Moment at={need.key.last_used_at} />.
        </Line>
      )
  }
}

const ReceiverNeed = ({ of }: { readonly of: Extract<Need, { readonly _tag: "Receiver" }> }) => {
  const { dead, last_failure_at, last_success_at, origin, waiting } = of.receiver
  return (
    <Line
      tone="bad"
      icon="dead"
      acts={
        <>
          <a class="btn" href={pathTo("/deliveries", { origin })}>
            See what was sent
          </a>
          {dead === 0 ? null : (
            <a class="btn" href={pathTo("/dead-letters")}>
              Replay when fixed
            </a>
          )}
        </>
      }
    >
      <strong>
        <UntrustedText text={origin.replace(/^https:\/\//, "")} max={80} isBrief />: {lowered(of.word)}.{" "}
        {[
          dead === 0 ? null : `${boundedWords(dead)} dead ${dead === 1 ? "letter" : "letters"}`,
          waiting === 0 ? null : `${boundedWords(waiting)} more ${waiting === 1 ? "waits" : "wait"}`
        ]
          .filter((each) => each !== null)
          .join(", ")
          .replace(/^(\S+) more /, "$1 ")}
        .
      </strong>{" "}
      {last_success_at === null ? (
        "Nothing has ever arrived there."
      ) : (
        <>
          The last callback arrived at <Moment at={last_success_at} />.
        </>
      )}{" "}
      {last_failure_at === null ? null : (
        <span class="quiet">
          Last tried at <Moment at={last_failure_at} />.
        </span>
      )}
    </Line>
  )
}

const lowered = (word: string): string => word.charAt(0).toLowerCase() + word.slice(1)

interface LineProps {
  readonly tone: "bad" | "warn" | "quiet"
  readonly icon: "alert" | "ask" | "dead" | "lock"
  readonly acts?: ComponentChildren
  readonly children: ComponentChildren
}

const Line = ({ acts, children, icon, tone }: LineProps) => (
  <Note tone={tone} icon={icon}>
    <p>{children}</p>
    {acts === undefined ? null : <p class="acts">{acts}</p>}
  </Note>
)
