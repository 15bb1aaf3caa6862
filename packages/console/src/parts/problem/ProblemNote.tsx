/** An error, with what the user can do about it. */
import type { ComponentChildren } from "preact"
import { useEffect, useRef, useState } from "preact/hooks"
import { durationWords } from "../../format/Amounts.ts"
import { after, now } from "../../time/Clock.ts"
import { Copy } from "../Copy.tsx"
import { EmptyState } from "../EmptyState.tsx"
import { Note } from "../Note.tsx"
import { UntrustedText } from "../UntrustedText.tsx"
import { type Problem, problemOf } from "./Problem.ts"

export interface ProblemNoteProps {
  /** Nothing is shown without one. */
  readonly error?: unknown
  /** In place of the error, if it was translated already. */
  readonly problem?: Problem | undefined
  /** The requested object: `delivery`. */
  readonly what?: string
  /** The list to go to if the object does not exist. */
  readonly all?: { readonly href: string; readonly words: string } | undefined
  readonly onRetry?: (() => void) | undefined
}

export const ProblemNote = ({ all, error, onRetry, problem: told, what }: ProblemNoteProps) => {
  const problem = told ?? (error === undefined ? undefined : problemOf(error, what))
  if (problem === undefined) return null
  if (problem.kind === "gone") {
    return (
      <EmptyState
        title={problem.title}
        action={all === undefined ? null : <a href={all.href}>{all.words}</a>}
      >
        {problem.text}
      </EmptyState>
    )
  }
  return (
    <Note
      tone={problem.tone}
      title={problem.title}
      isUrgent
      acts={
        onRetry !== undefined && problem.isPassing ? (
          <Retry afterMs={problem.retryAfterMs} onRetry={onRetry} />
        ) : null
      }
    >
      <UntrustedText text={problem.text} />
      {problem.kind === "failed" && problem.requestId !== null ? (
        <>
          {" "}
          <code>{problem.requestId}</code> <Copy text={problem.requestId} of="request id" />
        </>
      ) : null}
    </Note>
  )
}

/** Retries by itself if the service said when, and otherwise at the press of a button. */
const Retry = ({ afterMs, onRetry }: { readonly afterMs: number | null; readonly onRetry: () => void }) => {
  const [leftMs, setLeft] = useState(afterMs)
  useEffect(() => {
    if (afterMs === null) return undefined
    const endsAt = now() + afterMs
    let stop = () => {}
    const tick = () => {
      const left = endsAt - now()
      if (left <= 0) onRetry()
      else {
        setLeft(left)
        stop = after(Math.min(1_000, left), tick)
      }
    }
    tick()
    return () => stop()
  }, [afterMs])
  return (
    <>
      <button type="button" onClick={onRetry}>
        Try again
      </button>
      {leftMs === null ? null : (
        <span class="quiet num">by itself in {durationWords(Math.ceil(leftMs / 1_000) * 1_000)}</span>
      )}
    </>
  )
}

export interface OutcomeProps {
  readonly problem: Problem | undefined
  readonly children?: ComponentChildren
}

/** What came of an action. It stands below the fields, so that it need not repeat what they say. */
export const Outcome = ({ children, problem }: OutcomeProps) => {
  const fields = Object.keys(problem?.fields ?? {})
  const isSaid = fields.length > 0 && fields.every((field) => problem?.said.has(field))
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // In a long form it would be out of sight. Who types goes on.
    if (isSaid && document.activeElement?.matches("input, textarea") !== true)
      place.current?.closest("form, dialog, section")?.querySelector<HTMLElement>("[aria-invalid]")?.focus()
  }, [problem])
  return (
    <div role="status" ref={place}>
      {problem === undefined ? (
        children
      ) : (
        <ProblemNote
          problem={isSaid ? { ...problem, text: "Each marked field says what is wrong." } : problem}
        />
      )}
    </div>
  )
}
