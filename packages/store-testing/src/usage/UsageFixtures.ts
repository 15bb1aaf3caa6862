/** Counts, as processes add them. */
import type { AccountId, ApiKeyId } from "@runhook/core/shared/Ids"
import { type Latencies, rangeCount, rangeOf } from "@runhook/core/usage/Latencies"
import { type Counts, noCounts, type UsageSum } from "@runhook/core/usage/UsageCounts"
import type { UsageIncrement } from "@runhook/core/usage/UsageIncrement"
import { UsageStore } from "@runhook/core/usage/UsageStore"
import type * as DateTime from "effect/DateTime"
import type { Sender } from "../deliveries/DeliveryFixtures.ts"
import { second } from "../Fixtures.ts"

export const hour = 3_600
export const day = 24 * hour

/** One thing for each of these milliseconds. */
export const tookMillis = (...each: ReadonlyArray<number>): Latencies => {
  const latencies = Array.from({ length: rangeCount }, () => 0)
  for (const millis of each) latencies[rangeOf(millis)] = (latencies[rangeOf(millis)] ?? 0) + 1
  return latencies
}

/** What was counted of an account in an hour or day of the test; of its first hour unless told otherwise. */
export const makeSum = (
  accountId: AccountId,
  counts: Partial<Counts>,
  { at = second(0), ...fields }: Partial<Omit<UsageSum, "counts">> = {}
): UsageSum => ({
  accountId,
  subject: { kind: "account", id: accountId },
  span: "hour",
  at,
  counts: { ...noCounts, ...counts },
  ...fields
})

export const counted = (fields: Partial<UsageIncrement>): UsageIncrement => ({
  sums: [],
  keyUses: [],
  receivers: [],
  lastAttempts: [],
  ...fields
})

export const addAll = (fields: Partial<UsageIncrement>) =>
  UsageStore.use((store) => store.add(counted(fields)))

/** That the key of a sender was used. */
export const makeUse = ({ accountId, apiKeyId }: Sender, at: DateTime.Utc, from: string | null) => ({
  accountId,
  apiKeyId,
  at,
  from
})

/** Of a key in an hour of the test. */
export const requestsOf = (
  { accountId, apiKeyId }: { readonly accountId: AccountId; readonly apiKeyId: ApiKeyId },
  requests: number,
  at: DateTime.Utc
) => makeSum(accountId, { requests }, { subject: { kind: "key", id: apiKeyId }, at })

/** The sums of the hours of a day of the test, or what else is asked for. */
export const sumsOf = (
  accountId: AccountId,
  options: Partial<Parameters<UsageStore["Service"]["sums"]>[0]> = {}
) =>
  UsageStore.use((store) =>
    store.sums({
      accountId,
      of: { kind: "account", id: accountId },
      span: "hour",
      from: second(0),
      to: second(day),
      limit: 100,
      ...options
    })
  )
