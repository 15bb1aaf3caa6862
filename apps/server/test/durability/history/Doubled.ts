/** Nothing happens twice: one execution for a key, one event for a change. */
import type { Fault, Rule } from "./Fault.ts"
import { allOf } from "./History.ts"

export const doubled: Rule = (history) => [
  ...several(allOf(history, "created"), {
    of: ({ idempotencyKey }) => `key ${idempotencyKey}`,
    each: ({ executionId }) => executionId
  }),
  ...several(allOf(history, "final"), {
    of: ({ reference }) => `reference ${reference}`,
    each: ({ executionId }) => executionId
  }),
  ...several(allOf(history, "receipt"), {
    of: ({ executionId, type }) => `${type} of ${executionId}`,
    each: ({ eventId }) => eventId
  })
]

interface Sameness<A> {
  /** What there is one of. */
  readonly of: (entry: A) => string
  readonly each: (entry: A) => string
}

const several = <A extends { readonly executionId: string }>(
  entries: ReadonlyArray<A>,
  { each, of }: Sameness<A>
): ReadonlyArray<Fault> =>
  [...Map.groupBy(entries, of)].flatMap(([name, same]) => {
    const ids = new Set(same.map(each))
    const [first] = same
    if (ids.size < 2 || first === undefined) return []
    return [
      {
        kind: "doubled",
        executionId: first.executionId,
        what: `${name} stands for ${[...ids].join(" and ")}`
      }
    ]
  })
