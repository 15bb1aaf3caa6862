/** What the work said, as it says it: the newest lines of all attempts. */
import { type AdminExecutionDetail, type ExecutionLogLine, isFinished } from "@runhook/sdk/admin"
import type { VNode } from "preact"
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks"
import { countOf } from "../../format/Amounts.ts"
import { Card, ChoiceField, Copy, Moment, Pick, ProblemNote } from "../../parts/Parts.ts"
import { UntrustedText } from "../../parts/Parts.ts"
import { account, endExpiredSession } from "../../session/Session.ts"
import { isShown, levels, linesMax, textOf, withLines } from "./LogLines.ts"

/** Lines of one answer, and the seconds for which the service waits for more. */
const limit = 200
const wait = 30

interface Log {
  readonly lines: ReadonlyArray<ExecutionLogLine>
  /** What is said of no lines. */
  readonly none: string
  readonly error?: unknown
}

const nothing: Log = { lines: [], none: "" }

const notYet = "Nothing yet. Lines appear as its runner logs them."
const never = "Its runner logged nothing."

/** Reads to the end, then waits for more until the execution has ended. */
const useLog = (id: string, isOver: boolean) => {
  const [log, setLog] = useState(nothing)
  const [round, setRound] = useState(0)
  const held = useRef(nothing.lines)
  useEffect(() => {
    const ended = new AbortController()
    const { signal } = ended
    const read = async () => {
      for (let isEnd = false; !signal.aborted;) {
        const after = held.current.at(-1)?.sequence ?? 0
        const query = { after, limit, ...(isEnd && { wait }) }
        const { data } = await account.value.executions.logs(id, query, { signal })
        isEnd = data.length < limit
        held.current = withLines(held.current, data)
        if (data.length > 0 || isEnd) setLog({ lines: held.current, none: isOver ? never : notYet })
        if (isEnd && isOver) return
      }
    }
    read().catch((error: unknown) => {
      if (signal.aborted) return
      endExpiredSession(error)
      setLog({ lines: held.current, none: "", error })
    })
    return () => ended.abort()
  }, [id, isOver, round])
  return { ...log, retry: () => setRound(round + 1) }
}

/** As it is on the screen: what was drawn once is not looked at again when others come. */
const known = new WeakMap<ExecutionLogLine, VNode>()

const drawn = (line: ExecutionLogLine): VNode => {
  const before = known.get(line)
  if (before !== undefined) return before
  const { at, attempt, level, message, sequence } = line
  const made = (
    <p key={sequence} class={tones[level]}>
      <Moment at={at} isExact /> {level} {attempt > 1 ? `(attempt ${attempt}) ` : ""}
      <UntrustedText text={message} max={2_000} />
    </p>
  )
  known.set(line, made)
  return made
}

const tones: { readonly [level: string]: string } = { debug: "quiet", warn: "warn", error: "bad" }

export const LogCard = ({ of }: { readonly of: AdminExecutionDetail }) => {
  const isOver = isFinished(of)
  const { error, lines, none, retry } = useLog(of.execution_id, isOver)
  const [least, setLeast] = useState("debug")
  const [isWrapped, setWrapped] = useState(true)
  const place = useRef<HTMLDivElement>(null)
  /** Whether the last line is in sight, which then stays so. */
  const isAtEnd = useRef(true)
  const shown = lines.filter((line) => isShown(line, least))
  const last = shown.at(-1)?.sequence
  // At once: a scroll is told of in the next frame, and would be measured against lines that came after it.
  useLayoutEffect(() => {
    const box = place.current
    if (box !== null && isAtEnd.current) box.scrollTop = box.scrollHeight
  }, [last])
  return (
    <Card title="Log">
      <ProblemNote error={error} what="log" onRetry={retry} />
      {lines.length === 0 ? (
        <p class="quiet">{none}</p>
      ) : (
        <>
          <div class="tools">
            <ChoiceField
              label="Level"
              value={least}
              onText={setLeast}
              options={levels.map((level) => [level, level === "debug" ? "All" : `From ${level}`])}
            />
            <Pick isPicked={isWrapped} onPick={setWrapped}>
              Wrap lines<span class="hide"> of the log</span>
            </Pick>
            <Copy text={() => textOf(shown)} of="the log" word="Copy" />
          </div>
          <div
            class={isWrapped ? "log" : "log unwrapped"}
            role="log"
            aria-live="off"
            aria-label="Log"
            tabIndex={0}
            ref={place}
            onScroll={({ currentTarget: box }) => {
              isAtEnd.current = box.scrollTop + box.clientHeight > box.scrollHeight - 24
            }}
          >
            {shown.map(drawn)}
          </div>
          <p class="small quiet">
            {countOf(shown.length, "line")}
            {lines.length < linesMax ? "" : ": the newest, older ones are gone"}
            {isOver ? "." : ", and more as its runner logs them."}
          </p>
        </>
      )}
    </Card>
  )
}
