/**
 * Group commit: items that several callers store at the same time share one commit. With nothing in flight, an item
 * is sent at once; while statements of its bucket are in flight, it waits for one of them to end and goes with the
 * others.
 *
 * - Accounts take turns: one that submits thousands of items does not delay the others of its bucket.
 * - Items with the same subject go one after the other, never together.
 * - A group belongs to no caller. Interrupting a caller does not stop what it submitted, as if only its answer had
 *   been lost. But no caller waits longer than the database may take, including groups before its own: an item that
 *   was not sent by then is withdrawn.
 */
import { AccountTurns } from "@runhook/core/engine/AccountTurns"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Metric from "effect/Metric"
import {
  type Deadline,
  deadline,
  DatabaseTimeout,
  millisLeft,
  passed,
  timed,
  whenPassed
} from "../connections/Deadline.ts"
import { defectOf } from "../sql/SqlErrors.ts"

/** Groups of all buckets in flight at once, so that connections are left for others. */
export const inFlightTotal = 8

const sizes = Metric.histogram("runhook_database_group_size", {
  description: "Creates or moves that were stored by one statement",
  boundaries: [1, 2, 4, 8, 16, 32, 64, 128, 256]
})

export interface Group<Item> {
  readonly bucket: number
  readonly items: ReadonlyArray<Item>
}

/** Answers an item. Only the first answer counts. */
export type Answering<Item, Answer> = (item: Item, exit: Exit.Exit<Answer>) => void

export interface GroupCommit<Item, Answer> {
  /** Stores an item of the bucket, alone or with others. */
  submit(bucket: number, item: Item): Effect.Effect<Answer>
}

/** This turn of the event loop has been waited for already. */
const atOnce = { startImmediately: true }

interface Member<Item, Answer> {
  readonly item: Item
  readonly bucket: number
  readonly account: string
  readonly subject: string | null
  readonly until: Deadline
  readonly resume: (answer: Effect.Effect<Answer>) => void
}

export const make = Effect.fnUntraced(function* <Item, Answer>(options: {
  /** What the items are, for operators. */
  readonly name: "creates" | "moves"
  /** Items in one group. Larger groups are no faster and only add latency. */
  readonly sizeMax: number
  /** Groups of one bucket in flight at once. */
  readonly inFlightMax: number
  readonly accountOf: (item: Item) => string
  /** What an item is about; null when it conflicts with no other. */
  readonly subjectOf: (item: Item) => string | null
  /**
   * Stores a group, and makes sure that every item is answered, now or later. If it fails, the failure answers all
   * items without an answer.
   */
  readonly store: (group: Group<Item>, answer: Answering<Item, Answer>) => Effect.Effect<void>
}) {
  const { accountOf, inFlightMax, name, sizeMax, store, subjectOf } = options
  const sizesOf = Metric.withAttributes(sizes, { group: name })
  const scope = yield* Effect.scope
  const services = yield* Effect.context<never>()
  const timeout = yield* DatabaseTimeout

  sizesOf.valueUnsafe(services)
  const waiting = new Map<number, AccountTurns<Member<Item, Answer>>>()
  /** Members queued behind each subject that is in progress. */
  const behind = new Map<string, Array<Member<Item, Answer>>>()
  const members = new Map<Item, Member<Item, Answer>>()
  /** Members whose callers still wait. */
  const awaited = new Set<Member<Item, Answer>>()
  const inFlight = new Map<number, number>()
  let total = 0
  let isDispatching = false
  let alarm: { readonly at: number; readonly callOff: () => void } | undefined

  const enqueue = (member: Member<Item, Answer>): void => {
    const turns = waiting.get(member.bucket) ?? new AccountTurns()
    waiting.set(member.bucket, turns)
    turns.add(member.account, member)
    // Items submitted in the same turn of the event loop go together.
    if (!isDispatching) setImmediate(dispatch)
    isDispatching = true
  }

  const admit = (member: Member<Item, Answer>): void => {
    members.set(member.item, member)
    const line = member.subject === null ? undefined : behind.get(member.subject)
    if (line !== undefined) line.push(member)
    else {
      if (member.subject !== null) behind.set(member.subject, [])
      enqueue(member)
    }
  }

  /** Hands the subject to the next member in line. */
  const leave = (member: Member<Item, Answer>): void => {
    members.delete(member.item)
    if (member.subject === null) return
    const next = behind.get(member.subject)?.shift()
    if (next === undefined) behind.delete(member.subject)
    else enqueue(next)
  }

  const forget = (member: Member<Item, Answer>): void => {
    awaited.delete(member)
    if (awaited.size > 0) return
    alarm?.callOff()
    alarm = undefined
  }

  /** Withdraws a member that was not sent. */
  const withdraw = (member: Member<Item, Answer>): void => {
    forget(member)
    if (waiting.get(member.bucket)?.remove(member.account, member) === true) return leave(member)
    const line = member.subject === null ? undefined : behind.get(member.subject)
    const place = line?.indexOf(member) ?? -1
    if (place < 0) return
    line?.splice(place, 1)
    members.delete(member.item)
  }

  const answer: Answering<Item, Answer> = (item, exit) => {
    const member = members.get(item)
    if (member === undefined) return
    leave(member)
    forget(member)
    member.resume(exit)
  }

  const send = Effect.fnUntraced(function* (bucket: number, items: ReadonlyArray<Item>) {
    yield* timed(store({ bucket, items }, answer)).pipe(
      Effect.catchCause((cause) =>
        Effect.sync(() => {
          for (const item of items) answer(item, Exit.failCause(cause))
        })
      )
    )
    total--
    const left = (inFlight.get(bucket) ?? 1) - 1
    if (left === 0) inFlight.delete(bucket)
    else inFlight.set(bucket, left)
    dispatch()
  })

  /** Sends waiting members while there is room, one bucket after the other. */
  const dispatch = (): void => {
    isDispatching = false
    for (const [bucket, turns] of waiting) {
      if (total >= inFlightTotal) return
      const going = inFlight.get(bucket) ?? 0
      if (going >= inFlightMax) continue
      const taken = turns.take(sizeMax)
      // A bucket with more to send goes behind the others.
      waiting.delete(bucket)
      if (!turns.isEmpty) waiting.set(bucket, turns)
      if (taken.length === 0) continue
      total++
      inFlight.set(bucket, going + 1)
      const items = taken.map(({ item }) => item)
      sizesOf.updateUnsafe(items.length, services)
      // Closing waits for groups in flight, so that every caller gets its answer.
      const sending = Effect.forkIn(Effect.uninterruptible(send(bucket, items)), scope, atOnce)
      Effect.runForkWith(services)(sending)
    }
  }

  const watchFor = (until: Deadline): void => {
    if (alarm !== undefined && alarm.at <= until.at) return
    alarm?.callOff()
    alarm = { at: until.at, callOff: whenPassed(until, endLate) }
  }

  /** Fails members whose deadline has passed. */
  const endLate = (): void => {
    alarm = undefined
    for (const member of awaited) {
      if (millisLeft(member.until) > 0) watchFor(member.until)
      else {
        withdraw(member)
        member.resume(Effect.die(defectOf(passed(member.until))))
      }
    }
  }

  const submit = (bucket: number, item: Item): Effect.Effect<Answer> =>
    Effect.flatMap(deadline(timeout), (until) =>
      Effect.callback((resume) => {
        const [account, subject] = [accountOf(item), subjectOf(item)]
        const member: Member<Item, Answer> = { item, bucket, account, subject, until, resume }
        awaited.add(member)
        admit(member)
        watchFor(until)
        return Effect.sync(() => withdraw(member))
      })
    )

  return { submit } satisfies GroupCommit<Item, Answer>
})
