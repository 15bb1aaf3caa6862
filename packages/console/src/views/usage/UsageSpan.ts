/** The time spans and groupings of usage. Pure functions. */
import type { UsageQuery } from "@runhook/sdk/admin"

export interface UsageSpanChoice {
  readonly name: string
  readonly words: string
  readonly by: "hour" | "day"
  /** Hours or days, the current one included. */
  readonly count: number
}

export const spans = [
  { name: "24h", words: "Last 24 hours", by: "hour", count: 24 },
  { name: "7d", words: "Last 7 days", by: "hour", count: 168 },
  { name: "30d", words: "Last 30 days", by: "day", count: 30 },
  { name: "90d", words: "Last 90 days", by: "day", count: 90 }
] as const satisfies ReadonlyArray<UsageSpanChoice>

export const spanOf = (name: string | undefined): UsageSpanChoice =>
  spans.find((span) => span.name === name) ?? spans[1]

export type Group = "key" | "none" | "task"

export const groupOf = (name: string | undefined): Group =>
  name === "key" || name === "task" ? name : "none"

const lengths = { hour: 3_600_000, day: 86_400_000 } as const

export const usageQueryOf = ({ by, count }: UsageSpanChoice, now: number): UsageQuery => ({
  by,
  from: new Date(now - (count - 1) * lengths[by]).toISOString()
})
