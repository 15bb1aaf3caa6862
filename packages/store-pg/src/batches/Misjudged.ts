/**
 * Items that were judged before they are stored in one write (`Pipelines`), and whose
 * verdict is no longer true when they are. Nothing of that write may be stored then:
 * the statement that notices fails, and names these items with a reason. The others
 * are sent again.
 */
import * as Effect from "effect/Effect"
import type * as Schema from "effect/Schema"
import type { SqlError } from "effect/sql/SqlError"
import { isSqlError } from "../sql/SqlErrors.ts"
import { type Fixed, fixed } from "../sql/Statement.ts"

/** A condition that holds if a query finds nothing, of `id` and a word, and that fails if it finds something. */
export const nothingOf = <Asked>(found: Fixed<Asked>): Fixed<Asked> =>
  fixed<Asked>`(SELECT string_agg(id || ' ' || word, ',')::integer FROM (${found}) AS found (id, word)) IS NULL`

/** The words of such an error by their ids; undefined of any other. */
const foundBy = (fault: SqlError): ReadonlyMap<string, string> | undefined => {
  const { cause } = fault.reason
  const said = cause instanceof Error ? cause.message : ""
  const [, found] = /"([0-9a-f-]{36} \w+(?:,[0-9a-f-]{36} \w+)*)"/.exec(said) ?? []
  if (found === undefined) return undefined
  return new Map(
    found.split(",").map((each) => {
      const [id = "", word = ""] = each.split(" ")
      return [id, word]
    })
  )
}

type Store<Item, Place, Outcome> = (
  items: ReadonlyArray<Item>,
  places: ReadonlyMap<Item, Place>
) => Effect.Effect<ReadonlyMap<Item, Outcome>, SqlError | Schema.SchemaError>

/** Sends of the same items. Each that fails was in vain, and others may come in between for ever. */
const sendsMax = 4

/** Stores items until none is otherwise than it is taken for; or, sent that often in vain, in a way that takes none for anything. */
export const storeJudged = <Item, Place, Outcome>(options: {
  readonly idOf: (item: Item) => string
  /** Stores all or none. */
  readonly store: Store<Item, Place, Outcome>
  /** Stores what may be stored, and answers the outcome of the rest. */
  readonly storeUnjudged: Store<Item, Place, Outcome>
  /** What a word makes of an item; undefined when it is sent again, without its place. */
  readonly outcomeOf: (item: Item, word: string) => Outcome | undefined
}): Store<Item, Place, Outcome> => {
  const { idOf, outcomeOf, store, storeUnjudged } = options
  const send =
    (sends: number): Store<Item, Place, Outcome> =>
    (items, places) =>
      store(items, places).pipe(
        Effect.catch((fault) => {
          const found = isSqlError(fault) ? foundBy(fault) : undefined
          if (found === undefined) return Effect.fail(fault)
          const known = new Map<Item, Outcome>()
          for (const item of items) {
            const word = found.get(idOf(item))
            const outcome = word === undefined ? undefined : outcomeOf(item, word)
            if (outcome !== undefined) known.set(item, outcome)
          }
          const left = items.filter((item) => !known.has(item))
          if (left.length === 0) return Effect.succeed(known)
          const kept = new Map([...places].filter(([item]) => !found.has(idOf(item))))
          const again = sends === sendsMax ? storeUnjudged : send(sends + 1)
          return Effect.map(again(left, kept), (stored) => new Map([...known, ...stored]))
        })
      )
  return send(1)
}
