/** A button that copies a text and confirms it. */
import type { ComponentChildren } from "preact"
import { useEffect, useState } from "preact/hooks"
import { after } from "../time/Clock.ts"
import { Icon } from "./Icon.tsx"
import { Pick } from "./Pick.tsx"
import { UntrustedText } from "./UntrustedText.tsx"

/** How long the confirmation is shown, in milliseconds. */
const shownMs = 2_000

export interface CopyProps {
  /** The text to copy; a function produces it on demand. */
  readonly text: string | (() => string | Promise<string>)
  /** What it copies, for screen readers: `Copy event id`. */
  readonly of: string
  /** Label of the button; without one, only the icon is shown. */
  readonly word?: string
}

type Outcome = "Copied" | "Could not copy: select the text and press Ctrl+C"

export const Copy = ({ of, text, word }: CopyProps) => {
  const [outcome, setOutcome] = useState<Outcome>()
  useEffect(
    () => (outcome === undefined ? undefined : after(shownMs, () => setOutcome(undefined))),
    [outcome]
  )

  const copy = async () => {
    try {
      await navigator.clipboard.writeText(typeof text === "string" ? text : await text())
      setOutcome("Copied")
    } catch {
      setOutcome("Could not copy: select the text and press Ctrl+C")
    }
  }
  return (
    <button
      type="button"
      class={word === undefined ? "bare" : undefined}
      aria-label={`Copy ${of}`}
      onClick={copy}
    >
      <Icon name={outcome === "Copied" ? "check" : "copy"} />
      <span class={word === undefined && outcome === undefined ? "hide" : undefined} role="status">
        {outcome ?? word ?? ""}
      </span>
    </button>
  )
}

export interface CodeProps {
  /** Copied unchanged, and shown with marks for hidden characters. */
  readonly text: string
  /** What it is: `answer`, `command that makes a link`. */
  readonly of: string
  /** Shown in place of the text. */
  readonly children?: ComponentChildren
}

/** Lines longer than this are worth a choice whether they break. */
const lineMax = 60

/** A command, a body or an answer, with a button that copies it. */
export const Code = ({ children, of, text }: CodeProps) => {
  const [isWrapped, setWrapped] = useState(true)
  return (
    <div class="code">
      <pre class={isWrapped ? undefined : "unwrapped"} tabIndex={0} role="region" aria-label={of}>
        <code>{children ?? <UntrustedText text={text} max={16_384} />}</code>
      </pre>
      <Copy text={text} of={of} word="Copy" />
      {text.length <= lineMax ? null : (
        <Pick class="pick small" isPicked={isWrapped} onPick={setWrapped}>
          Wrap lines<span class="hide"> of {of}</span>
        </Pick>
      )}
    </div>
  )
}
