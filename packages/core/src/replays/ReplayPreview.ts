/** What a replay would do, to know before it begins. Pure; a store looks and counts. */
import * as Array from "effect/Array"
import * as DateTime from "effect/DateTime"
import * as Order from "effect/Order"

/** The most deliveries that one preview looks at, matching or not, and the most that it counts. */
export const previewBounds = { seen: 100_000, counted: 10_000 }
export type PreviewBounds = typeof previewBounds

/** The most receivers that a preview names. */
export const originsShownMax = 20

/** Deliveries that a replay would send again, of one event type to one receiver. */
export interface PreviewPart {
  readonly origin: string
  readonly type: string
  readonly count: number
  /** When the oldest and the newest of them were made. */
  readonly oldestAt: DateTime.Utc
  readonly newestAt: DateTime.Utc
}

export interface ReplayPreview {
  readonly wouldReplay: number
  /** Whether there may be more than were looked at or counted. */
  readonly isMore: boolean
  /** The receivers that get the most of them. */
  readonly origins: ReadonlyArray<{ readonly origin: string; readonly count: number }>
  readonly types: ReadonlyMap<string, number>
  readonly oldestAt: DateTime.Utc | null
  readonly newestAt: DateTime.Utc | null
}

const mostFirst = Order.combine(
  Order.mapInput(Order.flip(Order.Number), ([, count]: readonly [string, number]) => count),
  Order.mapInput(Order.String, ([name]: readonly [string, number]) => name)
)

export const previewOf = (parts: ReadonlyArray<PreviewPart>, isMore: boolean): ReplayPreview => ({
  wouldReplay: parts.reduce((sum, { count }) => sum + count, 0),
  isMore,
  origins: countsBy(parts, ({ origin }) => origin)
    .slice(0, originsShownMax)
    .map(([origin, count]) => ({ origin, count })),
  types: new Map(countsBy(parts, ({ type }) => type)),
  oldestAt: parts.map(({ oldestAt }) => oldestAt).reduce<DateTime.Utc | null>(earlier, null),
  newestAt: parts.map(({ newestAt }) => newestAt).reduce<DateTime.Utc | null>(later, null)
})

const countsBy = (
  parts: ReadonlyArray<PreviewPart>,
  nameOf: (part: PreviewPart) => string
): ReadonlyArray<readonly [string, number]> => {
  const counts = new Map<string, number>()
  for (const part of parts) counts.set(nameOf(part), (counts.get(nameOf(part)) ?? 0) + part.count)
  return Array.sort(counts, mostFirst)
}

const earlier = (one: DateTime.Utc | null, other: DateTime.Utc) => (one ? DateTime.min(one, other) : other)
const later = (one: DateTime.Utc | null, other: DateTime.Utc) => (one ? DateTime.max(one, other) : other)
