/** Usage counts and the current standing of accounts, in memory. */
import type { DeliveryState } from "@runhook/core/deliveries/Delivery"
import { receiverKey, receiverOf, untroubled } from "@runhook/core/deliveries/claim/Receiver"
import { laterAttempts, type ReceiverRecord } from "@runhook/core/deliveries/claim/ReceiverStanding"
import type { ExecutionStatus } from "@runhook/core/executions/ExecutionStatus"
import type { AccountId } from "@runhook/core/shared/Ids"
import { isPresent } from "@runhook/core/runs/sessions/RunnerSession"
import { addCounts, countsTo, receiverCountsTo, type UsageSum } from "@runhook/core/usage/UsageCounts"
import type { UsageIncrement, LastAttempts, ReceiverSum } from "@runhook/core/usage/UsageIncrement"
import { type KeyUsage, type AccountStanding, UsageStore } from "@runhook/core/usage/UsageStore"
import * as Array from "effect/Array"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Iterable from "effect/Iterable"
import * as Layer from "effect/Layer"
import * as Order from "effect/Order"
import * as Result from "effect/Result"
import { MemoryDatabase, type Tables } from "../MemoryDatabase.ts"
import { latestHour } from "./LatestHour.ts"
import { serviceStandingOf } from "./ServiceStanding.ts"

export const layer: Layer.Layer<UsageStore, never, MemoryDatabase> = Layer.effect(
  UsageStore,
  Effect.map(MemoryDatabase, (tables) => {
    const { usage } = tables

    return UsageStore.of({
      add: (counted) => Effect.sync(() => add(tables, counted)).pipe(Effect.as(new Set())),

      sums: ({ accountId, from, limit, of, span, to }) =>
        Effect.sync(() => {
          const wanted = Iterable.filter(
            usage.sums.values(),
            (sum) =>
              sum.accountId === accountId &&
              sum.span === span &&
              sum.subject.kind === of.kind &&
              (of.id === null || sum.subject.id === of.id) &&
              DateTime.isGreaterThanOrEqualTo(sum.at, from) &&
              DateTime.isLessThan(sum.at, to)
          )
          return Array.sort(wanted, newestFirst).slice(0, limit)
        }),

      keyUsage: ({ accountId, ids, since }) =>
        Effect.sync(() => {
          const requests = (id: string) =>
            countOf(usage.sums.values(), ({ at, counts, span, subject }) =>
              span === "hour" && subject.id === id && DateTime.isGreaterThanOrEqualTo(at, since)
                ? counts.requests
                : 0
            )
          return new Map(
            ids.flatMap((id): ReadonlyArray<readonly [typeof id, KeyUsage]> => {
              const use = usage.keyUses.get(id)
              return use?.accountId === accountId
                ? [[id, { lastUsedAt: use.at, lastUsedFrom: use.from, requests: requests(id) }]]
                : []
            })
          )
        }),

      keyLoad: ({ accountId, id }) =>
        Effect.sync(() => ({
          waitingDeliveries: Math.min(
            countsTo,
            countOf(inState(tables, accountId, "pending"), ({ apiKeyId }) => (apiKeyId === id ? 1 : 0))
          ),
          liveExecutions: countOf(tables.runs.index.unfinishedOfKey.of(id), ({ execution }) =>
            execution.accountId === accountId ? 1 : 0
          )
        })),

      receivers: ({ accountId, limit, since }) =>
        Effect.sync(() => receiversOf(tables, { accountId, limit, since })),

      standing: ({ accountId, at }) => Effect.sync(() => standingOf(tables, accountId, at)),

      serviceStanding: (options) => Effect.sync(() => serviceStandingOf(tables, options))
    })
  })
)

const newestFirst = Order.combine(
  Order.mapInput(Order.flip(DateTime.Order), ({ at }: UsageSum) => at),
  Order.mapInput(Order.String, ({ subject }: UsageSum) => subject.id)
)

const sumKey = ({ at, span, subject }: UsageSum): string =>
  `${span} ${at.epochMilliseconds} ${subject.kind} ${subject.id}`

const receiverSumKey = (sum: ReceiverSum): string => `${receiverKey(sum)} ${sum.at.epochMilliseconds}`

const countOf = <Item>(items: Iterable<Item>, count: (item: Item) => number): number =>
  Iterable.reduce(items, 0, (sum, item) => sum + count(item))

const mostRecent = Order.mapInput(
  Order.flip(Order.Number),
  (last: LastAttempts) => latestHour(last)?.epochMilliseconds ?? 0
)

const add = ({ usage }: Tables, counted: UsageIncrement): void => {
  for (const sum of counted.sums) {
    const before = usage.sums.get(sumKey(sum))
    usage.sums.set(
      sumKey(sum),
      before === undefined ? sum : { ...sum, counts: addCounts(before.counts, sum.counts) }
    )
  }
  for (const use of counted.keyUses) {
    const before = usage.keyUses.get(use.apiKeyId)
    if (before === undefined || DateTime.isLessThan(before.at, use.at)) usage.keyUses.set(use.apiKeyId, use)
  }
  for (const sum of counted.receivers) {
    const before = usage.receiverSums.get(receiverSumKey(sum))
    usage.receiverSums.set(receiverSumKey(sum), {
      ...sum,
      delivered: sum.delivered + (before?.delivered ?? 0),
      failed: sum.failed + (before?.failed ?? 0)
    })
  }
  for (const last of counted.lastAttempts) {
    const before = usage.lastAttempts.get(receiverKey(last))
    usage.lastAttempts.set(receiverKey(last), before === undefined ? last : laterAttempts(before, last))
  }
}

const inState = ({ deliveries }: Tables, accountId: AccountId, state: DeliveryState) =>
  Iterable.filter(
    deliveries.values(),
    (delivery) => delivery.accountId === accountId && delivery.state === state
  )

const receiversOf = (
  tables: Tables,
  {
    accountId,
    limit,
    since
  }: { readonly accountId: AccountId; readonly limit: number; readonly since: DateTime.Utc }
): ReadonlyArray<ReceiverRecord> => {
  const { receivers, usage } = tables
  const isOwn = (row: { readonly accountId: AccountId }) => row.accountId === accountId
  const troubled = Iterable.filterMap(receivers.keys(), (key) =>
    key.startsWith(`${accountId} `) ? Result.succeed(key.slice(accountId.length + 1)) : Result.fail(key)
  )
  const used = Array.sort(Iterable.filter(usage.lastAttempts.values(), isOwn), mostRecent)
  const originsIn = (state: DeliveryState) =>
    new Set(Iterable.map(inState(tables, accountId, state), (delivery) => receiverOf(delivery).origin))
  const origins = new Set([
    ...Iterable.take(troubled, limit),
    ...Iterable.take(originsIn("pending"), limit),
    ...Iterable.take(originsIn("dead"), limit),
    ...used.slice(0, limit).map(({ origin }) => origin)
  ])
  return Array.fromIterable(origins).map((origin) => {
    const key = receiverKey({ accountId, origin })
    const recent = Array.filter(
      usage.receiverSums.values(),
      (sum) => receiverKey(sum) === key && DateTime.isGreaterThanOrEqualTo(sum.at, since)
    )
    const countIn = (state: DeliveryState) =>
      Math.min(
        receiverCountsTo,
        countOf(inState(tables, accountId, state), (delivery) =>
          receiverOf(delivery).origin === origin ? 1 : 0
        )
      )
    return {
      origin,
      state: receivers.get(key) ?? untroubled,
      lastSuccessAt: usage.lastAttempts.get(key)?.lastSuccessAt ?? null,
      lastFailure: usage.lastAttempts.get(key)?.lastFailure ?? null,
      delivered: countOf(recent, ({ delivered }) => delivered),
      failed: countOf(recent, ({ failed }) => failed),
      waiting: countIn("pending"),
      dead: countIn("dead")
    }
  })
}

const standingOf = (tables: Tables, accountId: AccountId, at: DateTime.Utc): AccountStanding => {
  const unfinished = tables.runs.index.unfinishedOfAccount.of(accountId)
  const inStatus = (status: ExecutionStatus) =>
    Math.min(
      countsTo,
      countOf(unfinished, ({ execution }) => (execution.status === status ? 1 : 0))
    )
  const due = Iterable.filter(
    unfinished,
    ({ dueAt, execution, lease }) =>
      execution.status === "queued" && lease === null && DateTime.isLessThanOrEqualTo(dueAt, at)
  )
  const present = Array.filter(
    tables.sessions.values(),
    (session) => session.accountId === accountId && isPresent(session, at)
  )
  return {
    running: inStatus("running"),
    slots: countOf(tables.agents.values(), (agent) => (agent.accountId === accountId ? agent.capacity : 0)),
    queued: inStatus("queued"),
    needsInput: inStatus("awaiting_input"),
    oldestQueuedAt: Iterable.reduce(due, null, (oldest: DateTime.Utc | null, { dueAt }) =>
      oldest === null ? dueAt : DateTime.min(oldest, dueAt)
    ),
    runners: present.length,
    draining: present.filter(({ isDraining }) => isDraining).length,
    waitingDeliveries: Math.min(
      countsTo,
      countOf(inState(tables, accountId, "pending"), () => 1)
    ),
    deadLetters: Math.min(
      countsTo,
      countOf(inState(tables, accountId, "dead"), () => 1)
    )
  }
}
