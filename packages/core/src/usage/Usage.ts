/** How an account is doing, for people to look at: what was counted, and what is going on now. */
import * as Cache from "effect/Cache"
import * as Context from "effect/Context"
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import {
  type ReceiverRecord,
  type ReceiverStanding,
  standingOf,
  worstFirst
} from "../deliveries/claim/ReceiverStanding.ts"
import type { AccountId, ApiKeyId } from "../shared/Ids.ts"
import {
  addCounts,
  beginningOf,
  type Counts,
  noCounts,
  type UsageSubject,
  type UsageSum
} from "./UsageCounts.ts"
import { beginningsOf, rangeOf, type UsageQuestion, type UsageRange } from "./UsageQuery.ts"
import { AccountStore } from "../accounts/AccountStore.ts"
import { UsageStore } from "./UsageStore.ts"
import { useCase } from "../engine/UseCase.ts"

/** An answer is shared for this long by all who look at the account. */
export const standingShown = Duration.seconds(1)
const accountsMax = 1_000

/** Sums in one answer. */
export const sumsMax = 5_000

/** Receivers that one answer looks at, of each kind. */
export const receiversSeen = 200

const day = Duration.days(1)

/** A receiver and its state. */
export interface ReceiverView extends ReceiverRecord {
  readonly standing: ReceiverStanding
}

/** What was counted for a subject over a whole range. */
export interface UsageTotal {
  readonly subject: UsageSubject
  readonly counts: Counts
}

export class Usage extends Context.Service<Usage>()("@runhook/core/usage/Usage", {
  make: Effect.gen(function* () {
    const accounts = yield* AccountStore
    const store = yield* UsageStore

    const standings = yield* Cache.make({
      lookup: Effect.fnUntraced(function* (accountId: AccountId) {
        yield* accounts.get(accountId)
        return yield* store.standing({ accountId, at: yield* DateTime.now })
      }),
      capacity: accountsMax,
      timeToLive: standingShown
    })

    /** What was counted. */
    const counted = useCase("Usage.counted")(function* (question: UsageQuestion) {
      const { accountId } = question
      yield* accounts.get(accountId)
      const range = yield* Effect.fromResult(rangeOf(question, yield* DateTime.now))
      const found = yield* store.sums({ ...range, accountId, limit: sumsMax + 1 })
      const sums = found.slice(0, sumsMax).toReversed()
      return {
        range,
        sums: filledIn(accountId, range, sums),
        totals: totalsOf(sums),
        isMore: found.length > sumsMax
      }
    })

    /** The receivers of an account, worst first, and whether there are more. */
    const receivers = useCase("Usage.receivers")(function* (accountId: AccountId, limit: number) {
      yield* accounts.get(accountId)
      const at = yield* DateTime.now
      const since = beginningOf("hour", DateTime.subtractDuration(at, day))
      const found = yield* store.receivers({ accountId, since, limit: receiversSeen })
      const shown = found.toSorted(worstFirst(at)).slice(0, limit)
      return {
        receivers: shown.map((receiver) => ({ ...receiver, standing: standingOf(receiver, at) })),
        isMore: found.length > limit
      }
    })

    /** What is going on now, at most a second old. */
    const standing = (accountId: AccountId) => Cache.get(standings, accountId)

    /** How keys were used, with the requests of the last 24 hours. */
    const ofKeys = Effect.fnUntraced(function* (accountId: AccountId, ids: ReadonlyArray<ApiKeyId>) {
      const since = beginningOf("hour", DateTime.subtractDuration(yield* DateTime.now, day))
      return yield* store.keyUsage({ accountId, ids, since })
    })

    const loadOfKey = store.keyLoad

    return { counted, receivers, standing, ofKeys, loadOfKey }
  })
}) {
  static readonly layer = Layer.effect(Usage, Usage.make)
}

/** Adds the hours and days of one subject in which nothing was counted. */
const filledIn = (
  accountId: AccountId,
  range: UsageRange,
  sums: ReadonlyArray<UsageSum>
): ReadonlyArray<UsageSum> => {
  const { of, span } = range
  if (of.id === null) return sums
  const subject = of
  const known = new Map(sums.map((sum) => [sum.at.epochMilliseconds, sum]))
  return beginningsOf(range).map(
    (at) => known.get(at.epochMilliseconds) ?? { accountId, subject, span, at, counts: noCounts }
  )
}

const totalsOf = (sums: ReadonlyArray<UsageSum>): ReadonlyArray<UsageTotal> => {
  const totals = new Map<string, UsageTotal>()
  for (const { counts, subject } of sums) {
    totals.set(subject.id, { subject, counts: addCounts(totals.get(subject.id)?.counts ?? noCounts, counts) })
  }
  return [...totals.values()]
}
