/** How the page of limits words a number. */
import * as Duration from "effect/Duration"

/** A heading, and below it what is limited, and how. */
export interface LimitSection {
  readonly title: string
  readonly rows: ReadonlyArray<readonly [item: string, limit: string]>
}

export const count = (value: number): string => value.toLocaleString("en-US")

const sizes = [
  [1024 * 1024, "MiB"],
  [1024, "KiB"]
] as const

/** A number of bytes, in the largest unit that leaves no rest. */
export const size = (bytes: number): string => {
  const unit = sizes.find(([length]) => bytes % length === 0)
  return unit === undefined ? `${count(bytes)} bytes` : `${count(bytes / unit[0])} ${unit[1]}`
}

const spans = [
  [86_400, "day"],
  [3_600, "hour"],
  [60, "minute"],
  [1, "second"]
] as const

/** A time, in the largest unit that leaves no rest. */
export const span = (duration: Duration.Input): string => {
  const seconds = Duration.toSeconds(duration)
  const [length, unit] = spans.find(([each]) => seconds % each === 0) ?? [1, "second"]
  return `${count(seconds / length)} ${unit}${seconds === length ? "" : "s"}`
}

/** A time that is said in hours, however many days that makes. */
export const hours = (duration: Duration.Input): string => `${count(Duration.toHours(duration))} hours`

/** A rate, and how many may come at once. */
export const rate = ({ burst, perSecond }: { readonly burst: number; readonly perSecond: number }): string =>
  `${count(perSecond)} a second, burst of ${count(burst)}`
