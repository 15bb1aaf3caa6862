/** Asks before an act on many rows, with their number first, shows its progress, and stops it. */
import { useEffect, useRef, useState } from "preact/hooks"
import { download } from "../../data/Download.ts"
import { csvOf, jsonOf } from "../../data/Export.ts"
import type { KeptList } from "../../data/useList.ts"
import { countOf, countWords } from "../../format/Amounts.ts"
import { Button } from "../Button.tsx"
import { Dialog } from "../Dialog.tsx"
import { type Problem, problemOf } from "../problem/Problem.ts"
import { ProblemNote } from "../problem/ProblemNote.tsx"
import { actOnEach, type BulkAct, type BulkOutcome, bulkMax, collect, type Collected } from "./Bulk.ts"

export interface BulkDialogProps<Item> {
  readonly list: KeptList<Item>
  /** Undefined saves the rows as a file. */
  readonly act: BulkAct<Item> | undefined
  readonly isAll: boolean
  readonly one: string
  readonly many: string
  readonly onClose: () => void
}

type Phase<Item> =
  | { readonly _tag: "Counting"; readonly seen: number }
  | { readonly _tag: "Asking"; readonly found: Collected<Item> }
  | {
      readonly _tag: "Running"
      readonly outcome: BulkOutcome
      readonly total: number
      readonly isOver: boolean
    }
  | { readonly _tag: "Failed"; readonly problem: Problem }

const nothingYet: BulkOutcome = { done: 0, failed: 0, problem: undefined }

export const BulkDialog = <Item extends object>(props: BulkDialogProps<Item>) => {
  const { act, isAll, list, many, onClose, one } = props
  const [phase, setPhase] = useState<Phase<Item>>({ _tag: "Counting", seen: 0 })
  const ended = useRef(new AbortController())
  useEffect(() => {
    const { signal } = ended.current
    const show = (next: Phase<Item>) => {
      if (!signal.aborted) setPhase(next)
    }
    collect(list, isAll, { signal, note: (seen) => show({ _tag: "Counting", seen }) })
      .then((found) => show({ _tag: "Asking", found }))
      .catch((error: unknown) => show({ _tag: "Failed", problem: problemOf(error) }))
    return () => ended.current.abort()
  }, [])
  const run = async (rows: ReadonlyArray<Item>) => {
    if (act === undefined) return
    const total = rows.length
    const { signal } = ended.current
    setPhase({ _tag: "Running", outcome: nothingYet, total, isOver: false })
    const outcome = await actOnEach(rows, act.act, {
      signal,
      note: (now) => setPhase({ _tag: "Running", outcome: now, total, isOver: false })
    })
    setPhase({ _tag: "Running", outcome, total, isOver: true })
    void list.refresh(undefined)
  }
  const title = act?.title ?? "Export"
  return (
    <Dialog title={`${title} many`} onClose={onClose}>
      {phase._tag === "Counting" ? (
        <>
          <p role="status">Counting what matches: {countOf(phase.seen, one, many)} so far.</p>
          <p class="acts">
            <Button onPress={onClose}>Stop</Button>
          </p>
        </>
      ) : phase._tag === "Failed" ? (
        <ProblemNote problem={phase.problem} />
      ) : phase._tag === "Asking" ? (
        <Question {...props} title={title} found={phase.found} onRun={(rows) => void run(rows)} />
      ) : (
        <>
          <progress aria-label={title} max={phase.total} value={phase.outcome.done + phase.outcome.failed} />
          <p role="status" class="num">
            {countWords(phase.outcome.done)} of {countWords(phase.total)} done
            {phase.outcome.failed === 0 ? "" : `, ${countWords(phase.outcome.failed)} failed`}
            {phase.isOver && phase.outcome.done + phase.outcome.failed < phase.total ? ", then stopped" : ""}.
          </p>
          {phase.outcome.problem === undefined ? null : <ProblemNote problem={phase.outcome.problem} />}
          <p class="acts">
            {phase.isOver ? (
              <Button kind="first" onPress={onClose}>
                Close
              </Button>
            ) : (
              <Button onPress={() => ended.current.abort()}>Stop</Button>
            )}
          </p>
        </>
      )}
    </Dialog>
  )
}

interface QuestionProps<Item> extends BulkDialogProps<Item> {
  readonly title: string
  readonly found: Collected<Item>
  readonly onRun: (rows: ReadonlyArray<Item>) => void
}

/** Tells the number before anything is done. */
const Question = <Item extends object>(props: QuestionProps<Item>) => {
  const { act, found, many, onClose, onRun, one, title } = props
  const rows = act === undefined ? found.rows : found.rows.filter(act.can)
  const left = found.rows.length - rows.length
  const save = (text: string, type: "csv" | "json") => {
    download(text, { name: `${many}.${type}`, type: type === "csv" ? "text/csv" : "application/json" })
    onClose()
  }
  return (
    <>
      <p>
        <strong>{countOf(rows.length, one, many)}.</strong> {act?.text}
        {left === 0 ? "" : ` ${countWords(left)} of the chosen ones ${act?.left}.`}
        {found.isMore ? ` More match: one act reaches ${countWords(bulkMax)} of them, the newest.` : ""}
      </p>
      {act === undefined ? null : (
        <p class="small quiet">Keep this page open. What is done stays done when you stop.</p>
      )}
      <p class="acts">
        <Button onPress={onClose}>Not now</Button>
        {act === undefined ? (
          <>
            <Button onPress={() => save(jsonOf(rows), "json")}>JSON</Button>
            <Button kind="first" onPress={() => save(csvOf(rows), "csv")}>
              CSV
            </Button>
          </>
        ) : (
          <Button
            kind={act.isRisk === true ? "risk" : "first"}
            isChange
            why={rows.length === 0 ? "There is none." : undefined}
            onPress={() => onRun(rows)}
          >
            {title} {countWords(rows.length)}
          </Button>
        )}
      </p>
    </>
  )
}
