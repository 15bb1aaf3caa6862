/**
 * What one process has counted and not stored yet. Counting costs an addition and a
 * look-up; the sums of accounts, keys and tasks are made when it is read. Bounded:
 * beyond `cellsMax` different things, only the existing ones count on.
 */
import type * as DateTime from "effect/DateTime"
import type { UsageIncrement, KeyUse, LastAttempts, ReceiverSum } from "./UsageIncrement.ts"
import type { AttemptCause } from "../deliveries/steps/AttemptCause.ts"
import { receiverKey } from "../deliveries/claim/Receiver.ts"
import { laterAttempts } from "../deliveries/claim/ReceiverStanding.ts"
import type { AccountId, ApiKeyId, TaskId } from "../shared/Ids.ts"
import { rangeCount, rangeOf } from "./Latencies.ts"
import {
  addCounts,
  beginningOf,
  type Counter,
  type Counts,
  noCounts,
  spanMillis,
  type UsageSpan,
  type UsageSubject,
  type UsageSum
} from "./UsageCounts.ts"

/** How many different things are counted at once. */
export const cellsMax = 20_000

/** Where a count belongs. */
export interface CountOwner {
  readonly accountId: AccountId
  /** Null for callbacks to an endpoint of the whole account. */
  readonly apiKeyId: ApiKeyId | null
  /** Null where no task is known: requests and callbacks. */
  readonly taskId: TaskId | null
}

/** What was counted for one key and task in one hour. */
interface Cell extends CountOwner {
  readonly at: DateTime.Utc
  readonly counts: { -readonly [Counter_ in Counter]: number } & {
    readonly toStart: Array<number>
    readonly toFinish: Array<number>
  }
}

/** An attempt at a receiver, as it ended. */
export type AttemptEnd = {
  readonly accountId: AccountId
  readonly origin: string
  readonly at: DateTime.Utc
} & (
  | { readonly isDelivered: true }
  | { readonly isDelivered: false; readonly cause: AttemptCause | null; readonly status: number | null }
)

export class UsageSheet {
  readonly #cells = new Map<string, Cell>()
  readonly #keyUses = new Map<ApiKeyId, KeyUse>()
  /** By hour and origin. */
  readonly #receivers = new Map<string, ReceiverSum>()
  readonly #lastAttempts = new Map<string, LastAttempts>()

  get isEmpty(): boolean {
    return this.#cells.size + this.#keyUses.size + this.#receivers.size === 0
  }

  count(place: CountOwner, counter: Counter, at: DateTime.Utc, times = 1): void {
    const cell = this.#cellOf(place, at)
    if (cell !== undefined) cell.counts[counter] += times
  }

  /** Counts something with how long it took. */
  countTimed(
    place: CountOwner,
    counter: Counter,
    at: DateTime.Utc,
    took: { readonly of: "toStart" | "toFinish"; readonly millis: number }
  ): void {
    const cell = this.#cellOf(place, at)
    if (cell === undefined) return
    cell.counts[counter] += 1
    const latencies = cell.counts[took.of]
    if (latencies.length === 0) latencies.push(...emptyRanges)
    const range = rangeOf(took.millis)
    latencies[range] = (latencies[range] ?? 0) + 1
  }

  noteKeyUse(use: KeyUse): void {
    const before = this.#keyUses.get(use.apiKeyId)
    if (before === undefined ? this.#keyUses.size < cellsMax : isBefore(before.at, use.at)) {
      this.#keyUses.set(use.apiKeyId, use)
    }
  }

  noteAttempt({ accountId, at, origin, ...end }: AttemptEnd): void {
    this.#addReceiver({
      accountId,
      origin,
      at: beginningOf("hour", at),
      delivered: end.isDelivered ? 1 : 0,
      failed: end.isDelivered ? 0 : 1
    })
    this.#noteLast({
      accountId,
      origin,
      lastSuccessAt: end.isDelivered ? at : null,
      lastFailure: end.isDelivered ? null : { at, cause: end.cause, status: end.status }
    })
  }

  /** All of it, each subject once. */
  read(): UsageIncrement {
    const sums = new Map<string, UsageSum>()
    for (const cell of this.#cells.values()) {
      for (const span of spans) {
        for (const subject of subjectsOf(cell)) addTo(sums, cell, span, subject)
      }
    }
    return {
      sums: [...sums.values()],
      keyUses: [...this.#keyUses.values()],
      receivers: [...this.#receivers.values()],
      lastAttempts: [...this.#lastAttempts.values()]
    }
  }

  /** Forgets all that is not of these accounts. */
  keepOnly(accounts: ReadonlySet<AccountId>): void {
    dropUnless(accounts, this.#cells)
    dropUnless(accounts, this.#keyUses)
    dropUnless(accounts, this.#receivers)
    dropUnless(accounts, this.#lastAttempts)
  }

  /** Adds another sheet, as far as there is room. */
  take(other: UsageSheet): void {
    for (const cell of other.#cells.values()) {
      const own = this.#cellOf(cell, cell.at)
      if (own === undefined) continue
      const { toFinish, toStart, ...counts } = addCounts(own.counts, cell.counts)
      Object.assign(own.counts, counts)
      own.counts.toStart.splice(0, rangeCount, ...toStart)
      own.counts.toFinish.splice(0, rangeCount, ...toFinish)
    }
    for (const use of other.#keyUses.values()) this.noteKeyUse(use)
    for (const sum of other.#receivers.values()) this.#addReceiver(sum)
    for (const last of other.#lastAttempts.values()) this.#noteLast(last)
  }

  #addReceiver(sum: ReceiverSum): void {
    const key = `${sum.accountId} ${sum.at.epochMilliseconds} ${sum.origin}`
    const before = this.#receivers.get(key)
    if (before === undefined && this.#receivers.size >= cellsMax) return
    this.#receivers.set(key, {
      ...sum,
      delivered: sum.delivered + (before?.delivered ?? 0),
      failed: sum.failed + (before?.failed ?? 0)
    })
  }

  #noteLast(last: LastAttempts): void {
    const key = receiverKey(last)
    const before = this.#lastAttempts.get(key)
    if (before === undefined && this.#lastAttempts.size >= cellsMax) return
    this.#lastAttempts.set(key, before === undefined ? last : laterAttempts(before, last))
  }

  #cellOf(place: CountOwner, moment: DateTime.Utc): Cell | undefined {
    const { accountId, apiKeyId, taskId } = place
    const key = `${apiKeyId ?? accountId} ${taskId ?? ""} ${Math.floor(moment.epochMilliseconds / spanMillis.hour)}`
    const known = this.#cells.get(key)
    if (known !== undefined || this.#cells.size >= cellsMax) return known
    const at = beginningOf("hour", moment)
    const cell = { accountId, apiKeyId, taskId, at, counts: { ...noCounts, toStart: [], toFinish: [] } }
    this.#cells.set(key, cell)
    return cell
  }
}

const dropUnless = <Key>(
  accounts: ReadonlySet<AccountId>,
  counted: Map<Key, { readonly accountId: AccountId }>
): void => {
  for (const [key, { accountId }] of counted) if (!accounts.has(accountId)) counted.delete(key)
}

const spans: ReadonlyArray<UsageSpan> = ["hour", "day"]
const emptyRanges: ReadonlyArray<number> = Array.from({ length: rangeCount }, () => 0)

const subjectsOf = ({ accountId, apiKeyId, taskId }: CountOwner): ReadonlyArray<UsageSubject> => [
  { kind: "account", id: accountId },
  ...(apiKeyId === null ? [] : [{ kind: "key", id: apiKeyId } as const]),
  ...(taskId === null ? [] : [{ kind: "task", id: taskId } as const])
]

const addTo = (sums: Map<string, UsageSum>, cell: Cell, span: UsageSpan, subject: UsageSubject): void => {
  const at = beginningOf(span, cell.at)
  const key = `${span} ${at.epochMilliseconds} ${subject.kind} ${subject.id}`
  const counts: Counts = addCounts(sums.get(key)?.counts ?? noCounts, cell.counts)
  sums.set(key, { accountId: cell.accountId, subject, span, at, counts })
}

const isBefore = (one: DateTime.Utc, other: DateTime.Utc): boolean =>
  one.epochMilliseconds <= other.epochMilliseconds
