/** What a change changes: a field that is given the value that it has says nothing new. */
import * as Equal from "effect/Equal"

/** Whether a change gives one of these fields another value. */
export const changesOneOf = <Thing extends object>(
  before: Thing,
  change: Partial<Thing>,
  fields: ReadonlyArray<keyof Thing>
): boolean =>
  fields.some((field) => change[field] !== undefined && !Equal.equals(change[field], before[field]))
