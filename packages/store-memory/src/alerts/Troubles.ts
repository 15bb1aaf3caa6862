/** What is wrong in all accounts, in memory. */
import {
  type Ends,
  isFailing,
  namedMax,
  type Trouble,
  troubleCountsTo,
  unservedFor
} from "@runhook/core/alerts/Alert"
import { receiverOf } from "@runhook/core/deliveries/claim/Receiver"
import { AccountId } from "@runhook/core/shared/Ids"
import { isPresent, serves, takesNoMore } from "@runhook/core/runs/sessions/RunnerSession"
import { beginningOf } from "@runhook/core/usage/UsageCounts"
import * as Array from "effect/Array"
import * as DateTime from "effect/DateTime"
import * as Iterable from "effect/Iterable"
import * as Order from "effect/Order"
import type { Tables } from "../MemoryDatabase.ts"

export const troublesOf = (tables: Tables, at: DateTime.Utc): ReadonlyArray<Trouble> =>
  [deadLetters, heldReceivers, unservedAgents, failingTasks].flatMap((look) => named(look(tables, at)))

/** As many as may be named: of each account the worst, and of all accounts those first that have the fewest before them. */
const named = (troubles: ReadonlyArray<Trouble>): ReadonlyArray<Trouble> =>
  Object.values(Array.groupBy(troubles, ({ accountId }) => accountId))
    .flatMap((ofAccount) => Array.sort(ofAccount, worstFirst).map((trouble, nth) => ({ nth, trouble })))
    .filter(({ nth }) => nth < namedMax.ofAccount)
    .toSorted((one, other) => one.nth - other.nth)
    .slice(0, namedMax.ofAll)
    .map(({ trouble }) => trouble)

const worstFirst = Order.combine(
  Order.mapInput(Order.flip(Order.Number), ({ count }: Trouble) => count),
  Order.mapInput(Order.String, ({ subject }: Trouble) => subject)
)

/** The sums of this hour and the one before, by subject. */
const lately = ({ usage }: Tables, kind: "account" | "task", at: DateTime.Utc) => {
  const now = beginningOf("hour", at)
  const before = DateTime.subtract(now, { hours: 1 })
  const sums = Array.filter(
    usage.sums.values(),
    (sum) =>
      sum.span === "hour" &&
      sum.subject.kind === kind &&
      (DateTime.Equivalence(sum.at, now) || DateTime.Equivalence(sum.at, before))
  )
  return Object.values(Array.groupBy(sums, ({ subject }) => subject.id)).map((ofSubject) => ({
    accountId: ofSubject[0].accountId,
    id: ofSubject[0].subject.id,
    now: ofSubject.find((sum) => DateTime.Equivalence(sum.at, now))?.counts,
    before: ofSubject.find((sum) => DateTime.Equivalence(sum.at, before))?.counts
  }))
}

/** The receivers that are named of an account with dead letters, and how many of these are looked at. */
const receiversNamed = 3

const deadLetters = (tables: Tables, at: DateTime.Utc): ReadonlyArray<Trouble> =>
  lately(tables, "account", at).flatMap(({ accountId, before, now }) => {
    const count = (now?.dead ?? 0) + (before?.dead ?? 0)
    if (count === 0) return []
    const dead = Array.filter(
      tables.deliveries.values(),
      (delivery) => delivery.accountId === accountId && delivery.state === "dead"
    ).slice(0, troubleCountsTo)
    const counted = Object.entries(Array.groupBy(dead, (delivery) => receiverOf(delivery).origin)).map(
      ([origin, { length }]) => ({ origin, length })
    )
    const name = counted
      .toSorted((one, other) => other.length - one.length || Order.String(one.origin, other.origin))
      .slice(0, receiversNamed)
      .map(({ length, origin }) => `${origin} (${length})`)
      .join(", ")
    return [{ accountId, kind: "dead_letters", subject: "", name, count, since: null } as const]
  })

const heldReceivers = (tables: Tables, at: DateTime.Utc): ReadonlyArray<Trouble> =>
  [...tables.receivers].flatMap(([key, { heldUntil, openings }]) => {
    const isHeld = openings > 0 || (heldUntil !== null && DateTime.isGreaterThan(heldUntil, at))
    if (!isHeld) return []
    const [account = "", origin = ""] = key.split(" ")
    const accountId = AccountId.make(account)
    const count = Math.min(
      troubleCountsTo,
      Array.filter(
        tables.deliveries.values(),
        (delivery) =>
          delivery.state === "pending" &&
          delivery.accountId === accountId &&
          receiverOf(delivery).origin === origin
      ).length
    )
    return count === 0
      ? []
      : [{ accountId, kind: "receiver_held", subject: origin, name: origin, count, since: null } as const]
  })

const unservedAgents = (tables: Tables, at: DateTime.Utc): ReadonlyArray<Trouble> => {
  const dueBy = DateTime.subtractDuration(at, unservedFor)
  return Array.fromIterable(tables.agents.values()).flatMap(({ accountId, id, name, state }) => {
    const isServed = Iterable.some(
      tables.sessions.values(),
      (session) =>
        session.accountId === accountId &&
        isPresent(session, at) &&
        !takesNoMore(session) &&
        serves(session, id)
    )
    if (state !== "active" || isServed) return []
    const due = Array.filter(tables.runs.index.waitingOfAgent.of(id), ({ dueAt }) =>
      DateTime.isLessThanOrEqualTo(dueAt, at)
    ).slice(0, troubleCountsTo)
    const [first, ...others] = due.map(({ dueAt }) => dueAt)
    const since = first && others.reduce(DateTime.min, first)
    return since === undefined || DateTime.isGreaterThan(since, dueBy)
      ? []
      : [{ accountId, kind: "no_runner", subject: id, name, count: due.length, since } as const]
  })
}

const none: Ends = { completed: 0, failed: 0 }

const failingTasks = (tables: Tables, at: DateTime.Utc): ReadonlyArray<Trouble> =>
  lately(tables, "task", at).flatMap(({ accountId, before = none, id, now = none }) => {
    const task = Iterable.findFirst(tables.tasks.values(), (row) => row.task.id === id)
    if (task._tag === "None" || !isFailing(now, before)) return []
    const { name } = task.value.task
    const count = now.failed + before.failed
    return [{ accountId, kind: "failing_rate", subject: id, name, count, since: null } as const]
  })
