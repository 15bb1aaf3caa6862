/** Asks before an act on many rows, with their number first, shows its progress, and stops it. */
import type { ComponentChildren } from "preact"
import { useEffect, useRef, useState } from "preact/hooks"
import { download } from "../../data/Download.ts"
import { csvOf, jsonOf } from "../../data/Export.ts"
import { useAction } from "../../data/useAction.ts"
import type { KeptList } from "../../data/useList.ts"
import { useLoad } from "../../data/useLoad.ts"
import { countOf, countWords } from "../../format/Amounts.ts"
import { Button } from "../Button.tsx"
import { Dialog } from "../Dialog.tsx"
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

export const BulkDialog = <Item extends object>(props: BulkDialogProps<Item>) => {
  const { act, isAll, list, many, one } = props
  const done = useRef(new Set<string>())
  /** What was not done stays chosen. */
  const onClose = () => {
    list.selected.value = new Set([...list.selected.value].filter((id) => !done.current.has(id)))
    props.onClose()
  }
  const [seen, setSeen] = useState(0)
  const found = useLoad("rows", (signal) => collect(list, isAll, { signal, note: setSeen }))
  const [outcome, setOutcome] = useState<BulkOutcome>()
  const ended = useRef(new AbortController())
  useEffect(() => () => ended.current.abort(), [])
  const run = useAction(
    async (rows: ReadonlyArray<Item>) => {
      if (act === undefined) return
      setOutcome({ done: 0, failed: 0, problem: undefined, total: rows.length })
      const actOn = async (row: Item) => {
        await act.act(row)
        done.current.add(list.source.idOf(row))
      }
      await actOnEach(rows, actOn, { signal: ended.current.signal, note: setOutcome })
    },
    () => void list.refresh(undefined)
  )
  const title = act?.title ?? "Export"
  return (
    <Dialog title={`${title} many`} onClose={onClose}>
      {outcome !== undefined ? (
        <Progress title={title} of={outcome} isOver={!run.isRunning}>
          {run.isRunning ? (
            <Button onPress={() => ended.current.abort()}>Stop</Button>
          ) : (
            <Button kind="first" onPress={onClose}>
              Close
            </Button>
          )}
        </Progress>
      ) : found.data !== undefined ? (
        <Question {...props} onClose={onClose} title={title} found={found.data} onRun={run.run} />
      ) : (
        <>
          <ProblemNote error={found.error} />
          {found.isLoading ? (
            <p role="status">Counting what matches: {countOf(seen, one, many)} so far.</p>
          ) : null}
          <p class="acts">
            <Button onPress={onClose}>{found.isLoading ? "Stop" : "Close"}</Button>
          </p>
        </>
      )}
    </Dialog>
  )
}

interface ProgressProps {
  readonly title: string
  readonly of: BulkOutcome
  readonly isOver: boolean
  readonly children: ComponentChildren
}

const Progress = ({ children, isOver, of: { done, failed, problem, total }, title }: ProgressProps) => (
  <>
    <progress aria-label={title} max={total} value={done + failed} />
    <p role="status" class="num">
      {countWords(done)} of {countWords(total)} done
      {failed === 0 ? "" : `, ${countWords(failed)} failed`}
      {isOver && done + failed < total ? `, ${countWords(total - done - failed)} left` : ""}.
    </p>
    <ProblemNote problem={problem} />
    <p class="acts">{children}</p>
  </>
)

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
      {act === undefined ? null : <p class="small quiet">Keep this page open. What is done stays done.</p>}
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
