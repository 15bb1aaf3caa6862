/** What the service said holds: an outcome, a cancel, an end that was seen; and what was seen never goes backwards. */
import type { Fault, Rule } from "./Fault.ts"
import {
  allOf,
  byExecution,
  type Cancelled,
  type Claimed,
  type Created,
  type Final,
  type History,
  isTerminal,
  type Sighting,
  type Written
} from "./History.ts"

export const contradictions: Rule = (history) => [
  ...[...seenOf(history)].flatMap(([executionId, seen]) =>
    [...saidToEnd(seen), ...wentOn(seen.sightings), ...wentBack(seen)].map((what): Fault => ({
      kind: "contradiction",
      executionId,
      what
    }))
  ),
  ...keysWithTwoBodies(allOf(history, "created"))
]

interface Seen {
  readonly final: Final | undefined
  readonly sightings: ReadonlyArray<Sighting>
  readonly claims: ReadonlyArray<Claimed>
  readonly starts: ReadonlyArray<Written>
  readonly cancels: ReadonlyArray<Cancelled>
  readonly outcomes: ReadonlyArray<Written>
}

const seenOf = (history: History): ReadonlyMap<string, Seen> => {
  const finals = byExecution(allOf(history, "final"))
  const sightings = byExecution(allOf(history, "sighting"))
  const claims = byExecution(allOf(history, "claimed"))
  const cancels = byExecution(allOf(history, "cancelled"))
  const accepted = allOf(history, "written").filter((write) => write.accepted)
  const outcomes = byExecution(accepted.filter(({ outcome }) => outcome !== undefined))
  const starts = byExecution(accepted.filter(({ verb }) => verb === "start"))
  const ids = new Set([...finals, ...sightings, ...cancels, ...outcomes].map(([id]) => id))
  const seen = (id: string): Seen => ({
    final: finals.get(id)?.[0],
    sightings: (sightings.get(id) ?? []).toSorted((left, right) => left.at - right.at),
    claims: claims.get(id) ?? [],
    starts: starts.get(id) ?? [],
    cancels: cancels.get(id) ?? [],
    outcomes: outcomes.get(id) ?? []
  })
  return new Map([...ids].map((id) => [id, seen(id)]))
}

/** All sources agree on how it ended. */
const saidToEnd = ({ cancels, final, outcomes, sightings }: Seen): ReadonlyArray<string> => {
  const ends = [
    ...(final === undefined ? [] : [`${final.status} ${final.result}`]),
    ...sightings
      .filter(({ status }) => isTerminal(status))
      .map(({ result, status }) => `${status} ${result}`),
    ...outcomes.flatMap(({ outcome }) =>
      outcome === undefined ? [] : [`${outcome.status} ${outcome.result}`]
    )
  ]
  const different = [...new Set(ends)]
  const statuses = new Set([
    ...different.map((end) => end.split(" ")[0]),
    ...cancels.map(({ status }) => status)
  ])
  return different.length > 1 || statuses.size > 1
    ? [`it is said to have ended as ${[...different, ...cancels.map(({ status }) => status)].join(" and ")}`]
    : []
}

/** What had been seen at its end was asked for again, and had none. */
const wentOn = (sightings: ReadonlyArray<Sighting>): ReadonlyArray<string> => {
  const end = sightings.find(({ status }) => isTerminal(status))
  const after = sightings.find(
    ({ sentAt, status }) => end !== undefined && sentAt > end.at && !isTerminal(status)
  )
  return after === undefined ? [] : [`it was ${end?.status}, and then ${after.status}`]
}

/** An attempt that was seen is not unseen, and what ran waits again only for another claim, and until that is begun. */
const wentBack = ({ cancels, claims, sightings, starts }: Seen): ReadonlyArray<string> => {
  const faults: Array<string> = []
  let latest: Sighting | undefined
  for (const sighting of sightings) {
    const before = latest
    latest = sighting
    if (before === undefined || before.at > sighting.sentAt) continue
    if (sighting.attempt < before.attempt) {
      faults.push(`it was in attempt ${before.attempt}, and then in ${sighting.attempt}`)
    }
    const ran = before.status === "running" || before.status === "awaiting_input"
    const isTakenAgain = [...claims, ...starts].some(({ at }) => at >= sighting.sentAt)
    if (ran && sighting.status === "queued" && !isTakenAgain && cancels.length === 0) {
      faults.push(`it was ${before.status}, and then queued, and nobody was given it again`)
    }
  }
  return faults
}

const keysWithTwoBodies = (created: ReadonlyArray<Created>): ReadonlyArray<Fault> =>
  [...Map.groupBy(created, ({ idempotencyKey }) => idempotencyKey)].flatMap(([key, same]) => {
    const [first] = same
    if (first === undefined || same.every(({ body }) => body === first.body)) return []
    const what = `key ${key} was accepted with another body`
    return [{ kind: "contradiction", executionId: first.executionId, what }]
  })
