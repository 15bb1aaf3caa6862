/** JSON as a tree that folds, or as it was sent. Only open nodes are rendered, and long ones in steps. */
import type { Json } from "@runhook/sdk/admin"
import { useMemo, useState } from "preact/hooks"
import { countOf, countWords } from "../format/Amounts.ts"
import { isList, isMembers, jsonIn } from "../format/Json.ts"
import { Code, Copy } from "./Copy.tsx"
import { UntrustedText } from "./UntrustedText.tsx"

/** Members that are rendered at once. */
const step = 100

export interface JsonTreeProps {
  /** The value, unless there is a text. */
  readonly of?: Json
  /** What it is: `params`. */
  readonly name: string
  /** What was sent, which need not be JSON. It is shown and copied unchanged on demand. */
  readonly text?: string
}

export const JsonTree = ({ name, of, text }: JsonTreeProps) => {
  const [isRaw, setRaw] = useState(false)
  const value = useMemo(() => (text === undefined ? of : parsed(text)), [of, text])
  const raw = () => text ?? JSON.stringify(value, null, 2)
  if (value === undefined) return <Code text={raw()} of={name} />
  return (
    <div class="code">
      {isRaw ? (
        <Code text={raw()} of={name} />
      ) : (
        <>
          <pre class="json" tabIndex={0} role="region" aria-label={name}>
            <Node of={value} depth={0} />
          </pre>
          <Copy text={raw} of={name} word="Copy" />
        </>
      )}
      <button type="button" class="inline" aria-pressed={isRaw} onClick={() => setRaw(!isRaw)}>
        {isRaw ? "Show as a tree" : "Show raw"}
        <span class="hide"> of {name}</span>
      </button>
    </div>
  )
}

/** Larger texts are quicker read as they are, in bytes of UTF-16. */
const parsedMax = 1_000_000

const parsed = (text: string): Json | undefined =>
  text.length > parsedMax || !/^\s*[[{]/.test(text) ? undefined : jsonIn(text)

interface NodeProps {
  readonly of: Json
  readonly depth: number
  /** Its name in the object around it. */
  readonly name?: string
}

const Node = ({ depth, name, of }: NodeProps) => {
  const label =
    name === undefined ? null : (
      <span class="k">
        <UntrustedText text={name} isBrief />
        {": "}
      </span>
    )
  if (!isMembers(of) && !isList(of)) {
    return (
      <p>
        {label}
        {typeof of === "string" ? <UntrustedText text={JSON.stringify(of)} max={1_000} /> : String(of)}
      </p>
    )
  }
  const members: ReadonlyArray<readonly [string, Json]> = Object.entries(of)
  if (members.length === 0) {
    return (
      <p>
        {label}
        {isList(of) ? "[]" : "{}"}
      </p>
    )
  }
  return (
    <Members
      label={label}
      members={members}
      isOpen={depth < 2 && members.length <= step}
      depth={depth}
      one={isList(of) ? "item" : "field"}
    />
  )
}

interface MembersProps {
  readonly label: preact.ComponentChild
  readonly members: ReadonlyArray<readonly [string, Json]>
  readonly isOpen: boolean
  readonly one: string
  readonly depth: number
}

const Members = ({ depth, isOpen: isOpenAtFirst, label, members, one }: MembersProps) => {
  const [isOpen, setOpen] = useState(isOpenAtFirst)
  const [shown, setShown] = useState(step)
  return (
    <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        {label}
        <span class="quiet">{countOf(members.length, one)}</span>
      </summary>
      {!isOpen
        ? null
        : members
            .slice(0, shown)
            .map(([name, value]) => <Node key={name} of={value} depth={depth + 1} name={name} />)}
      {isOpen && shown < members.length ? (
        <button type="button" class="inline" onClick={() => setShown(shown + step)}>
          Show {Math.min(step, members.length - shown)} more of {countWords(members.length)}
        </button>
      ) : null}
    </details>
  )
}
