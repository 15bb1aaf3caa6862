/** One act on many rows: collects them, then acts on a few at once, until it is stopped. */
import type { ComponentChild } from "preact"
import type { KeptList } from "../../data/useList.ts"
import { type Problem, type ProblemKind, problemOf } from "../problem/Problem.ts"
import { endExpiredSession } from "../../session/Session.ts"
import { pause } from "../../time/Clock.ts"

export interface BulkAct<Item> {
  /** `Cancel`; the button has it with the number. */
  readonly title: string
  readonly can: (item: Item) => boolean
  readonly act: (item: Item) => Promise<unknown>
  /** What it does, and what becomes of rows on which it cannot act. */
  readonly text: string
  readonly left: string
  readonly isRisk?: boolean
  /** The dialog by which a job of the service does it to all that match, in place of this page. */
  readonly all?: (onClose: () => void) => ComponentChild
}

/** Most rows that one act is done on. */
export const bulkMax = 10_000

const atOnce = 200

/** Rows on which one acts at the same time. */
const hands = 4

export interface Collected<Item> {
  readonly rows: ReadonlyArray<Item>
  readonly isMore: boolean
}

/** The chosen rows, or all that match, page by page. */
export const collect = async <Item>(
  { source, state, selected }: KeptList<Item>,
  isAll: boolean,
  { note, signal }: { readonly signal: AbortSignal; readonly note: (count: number) => void }
): Promise<Collected<Item>> => {
  if (!isAll)
    return { rows: state.value.rows.filter((row) => selected.value.has(source.idOf(row))), isMore: false }
  const rows: Array<Item> = []
  let cursor: string | null | undefined
  while (cursor !== null && rows.length < bulkMax) {
    const page = await source.load({ limit: atOnce, ...(cursor === undefined ? {} : { cursor }) }, signal)
    rows.push(...page.data)
    note(rows.length)
    cursor = page.next_cursor
  }
  return { rows: rows.slice(0, bulkMax), isMore: cursor !== null }
}

export interface BulkOutcome {
  readonly done: number
  readonly failed: number
  readonly total: number
  /** The first failure, or what ended it for all. */
  readonly problem: Problem | undefined
}

/** Every other row would fail of the same: it ends, and they are left as they are. */
const endings: ReadonlySet<ProblemKind> = new Set(["lost", "signed-out", "limited"])

/** Ends when all are done, or soon after the signal or an error that concerns all; what was done stays done. */
export const actOnEach = async <Item>(
  rows: ReadonlyArray<Item>,
  act: (item: Item) => Promise<unknown>,
  { note, signal }: { readonly signal: AbortSignal; readonly note: (outcome: BulkOutcome) => void }
): Promise<void> => {
  const left = rows.values()
  const ended = new AbortController()
  const over = AbortSignal.any([signal, ended.signal])
  let [done, failed] = [0, 0]
  let problem: Problem | undefined
  const work = async () => {
    for (const row of left) {
      if (over.aborted) return
      const said = await attempt(() => act(row), over)
      const isLeft = said !== undefined && endings.has(said.kind)
      // What was stopped meanwhile says nothing of the row.
      if (!isLeft || !over.aborted) problem ??= said
      if (said === undefined) done += 1
      else if (isLeft) ended.abort()
      else failed += 1
      note({ done, failed, problem, total: rows.length })
    }
  }
  await Promise.all(Array.from({ length: hands }, work))
}

/** Tries again after each pause that the service asks for, until the signal. */
const attempt = async (act: () => Promise<unknown>, signal: AbortSignal): Promise<Problem | undefined> => {
  try {
    return void (await act())
  } catch (error) {
    endExpiredSession(error)
    const problem = problemOf(error)
    if (problem.kind !== "limited") return problem
    await pause(problem.retryAfterMs ?? 1_000, signal)
    return signal.aborted ? problem : attempt(act, signal)
  }
}
