/** Kinds of alerts in words. Pure. */
import type { CreateAlertTarget } from "@runhook/sdk/admin"

export type AlertKind = NonNullable<CreateAlertTarget["kinds"]>[number]

const words: Readonly<Record<AlertKind, string>> = {
  dead_letters: "New dead letters",
  receiver_held: "A receiver has failed for an hour",
  no_runner: "Work is due, and no runner serves it",
  failing_rate: "Half of a task's executions fail"
}

const isKnown = (kind: string): kind is AlertKind => Object.hasOwn(words, kind)

export const alertKinds: ReadonlyArray<AlertKind> = Object.keys(words).filter(isKnown)

export const kindWords = (kind: string): string => (isKnown(kind) ? words[kind] : kind)

/** `All alerts`, or the names of some. */
export const kindsWords = (kinds: ReadonlyArray<string>): string =>
  alertKinds.every((kind) => kinds.includes(kind)) ? "All alerts" : kinds.map(kindWords).join("; ")
