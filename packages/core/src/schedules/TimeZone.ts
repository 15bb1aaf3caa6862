/** Time zones by their names, and what their clocks show. Moments are milliseconds; so are walls: what a clock shows, read as UTC. */
import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"

/** Names of the database of time zones begin with a letter. A bare offset is no zone: it knows no summer. */
const form = /^[A-Za-z][A-Za-z0-9_+-]{0,30}(?:\/[A-Za-z0-9_+-]{1,30}){0,2}$/

/** One zone has many names, in many spellings, and what is known of it is kept for ever: so it is kept by one name. */
const canonical = new Map<string, string>()
const canonicalMax = 1_000

const canonicalName = (name: string): string | undefined => {
  const known = canonical.get(name)
  if (known !== undefined) return known
  if (!form.test(name)) return undefined
  let found: string
  try {
    found = new Intl.DateTimeFormat("en-US", { timeZone: name }).resolvedOptions().timeZone
  } catch {
    return undefined
  }
  if (canonical.size === canonicalMax) canonical.clear()
  canonical.set(name, found)
  return found
}

/** The zone of a name; undefined if there is none. */
export const zoneOf = (name: string): DateTime.TimeZone.Named | undefined => {
  const known = canonicalName(name)
  return known === undefined ? undefined : Option.getOrUndefined(DateTime.zoneMakeNamed(known))
}

/** How far the clocks of the zone are ahead of UTC. */
export const offsetAt = (zone: DateTime.TimeZone.Named, moment: number): number =>
  DateTime.zonedOffset(DateTime.makeZonedUnsafe(moment, { timeZone: zone }))

const dayMillis = 86_400_000

/** Offsets at midnights of UTC, by zone and day: most questions are about the same few. */
const midnights = new Map<string, number>()
const midnightsMax = 10_000

const offsetAtMidnight = (zone: DateTime.TimeZone.Named, day: number): number => {
  const key = `${zone.id} ${day}`
  const known = midnights.get(key)
  if (known !== undefined) return known
  const offset = offsetAt(zone, day * dayMillis)
  if (midnights.size === midnightsMax) midnights.clear()
  midnights.set(key, offset)
  return offset
}

/** The offsets more than a day before and more than a day after a moment or a wall: they differ where clocks are changed. */
export const offsetsAround = (zone: DateTime.TimeZone.Named, time: number): readonly [number, number] => {
  const day = Math.floor(time / dayMillis)
  return [offsetAtMidnight(zone, day - 1), offsetAtMidnight(zone, day + 2)]
}

/** When clocks show a wall: once; twice if they are put back over it; never if they are put forward over it. */
export type Shown =
  | { readonly _tag: "Once"; readonly at: number }
  | { readonly _tag: "Twice"; readonly first: number; readonly second: number }
  /** The moment at which they skip it. */
  | { readonly _tag: "Never"; readonly skippedAt: number }

export const shown = (zone: DateTime.TimeZone.Named, wall: number): Shown => {
  const [before, after] = offsetsAround(zone, wall)
  const [early, late] = [wall - before, wall - after]
  if (before === after) return { _tag: "Once", at: early }
  const isEarly = offsetAt(zone, early) === before
  const isLate = offsetAt(zone, late) === after
  if (isEarly && isLate) return { _tag: "Twice", first: early, second: late }
  if (isEarly || isLate) return { _tag: "Once", at: isEarly ? early : late }
  return { _tag: "Never", skippedAt: changeBetween(zone, late, early) }
}

/** The first moment of the offset that holds at `until`, where clocks are put forward after `from`. */
const changeBetween = (zone: DateTime.TimeZone.Named, from: number, until: number): number => {
  const offset = offsetAt(zone, until)
  let [low, high] = [from, until]
  while (high - low > 1_000) {
    const middle = low + Math.floor((high - low) / 2_000) * 1_000
    if (offsetAt(zone, middle) === offset) high = middle
    else low = middle
  }
  return high
}
