/** Queries rows that are distributed over the nodes of a database. */
import * as Array from "effect/Array"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Function from "effect/Function"
import * as Layer from "effect/Layer"
import * as Semaphore from "effect/Semaphore"
import { SqlClient } from "effect/sql/SqlClient"
import { Buckets, IsDistributed, type Within } from "../accounts/Buckets.ts"
import { bucketsAtOnce, byBucket } from "../accounts/EachBucket.ts"
import { DatabaseTimeout, hasPassed, hurried } from "../connections/Deadline.ts"
import { isSqlError } from "../sql/SqlErrors.ts"
import { isPartly } from "./Outages.ts"
import { makeShards } from "./Shards.ts"

/** What a look has found; not whole if rows of a node that is away may be missing. */
export interface Looked<A> {
  readonly found: ReadonlyArray<A>
  readonly isWhole: boolean
}

/** Looks that ask several nodes at once: so few connections of a process wait for a node that hangs. */
const looksAtOnce = 2

/** How often a node is given the time of a statement, when it is asked by itself. */
const patienceWithNode = 4

/** Has looks of a process take turns. */
export const LookTurns = Context.Reference<Pick<Semaphore.Semaphore, "withPermit">>(
  "@runhook/store-pg/database/LookTurns",
  { defaultValue: () => ({ withPermit: Function.identity }) }
)

export const layerLookTurns = Layer.effect(LookTurns, Semaphore.make(looksAtOnce))

/**
 * Queries all buckets at once. While a node of a distributed database is away such a query fails as a whole, or waits for
 * it, so the buckets of each node are then queried by themselves, and those that can answer do.
 *
 * For work that a later look makes up for. What is answered to somebody is read by a query that fails.
 */
export const makeLook = Effect.gen(function* () {
  const sql = yield* SqlClient
  const isDistributed = yield* IsDistributed
  const turns = yield* LookTurns
  const timeout = yield* DatabaseTimeout
  const [shards, forget] = yield* makeShards

  const byNode = <A, E, R>(look: Look<A, E, R>) =>
    Effect.gen(function* () {
      const nodes = Array.groupBy(yield* Effect.tapError(shards, () => forget), ({ node }) => node)
      const looked = yield* Effect.forEach(Object.values(nodes), (ofNode) => {
        const buckets = ofNode.flatMap((shard) => shard.buckets).join(", ")
        const within: Within = (table) => sql.literal(`${table}.bucket IN (${buckets})`)
        return look(within).pipe(
          Effect.map(whole),
          hurried(Duration.times(timeout, patienceWithNode)),
          Effect.catchIf(isSilent, () => Effect.succeed(missing))
        )
      })
      return {
        found: looked.flatMap(({ found }): ReadonlyArray<A> => found),
        isWhole: looked.every(({ isWhole }) => isWhole)
      }
    })

  return <A, E, R>(look: Look<A, E, R>) => {
    const all = Effect.map(
      look(() => sql`TRUE`),
      whole
    )
    if (!isDistributed) return all
    return all.pipe(
      hurried(timeout),
      Effect.catchIf(isSilent, () => byNode(look)),
      turns.withPermit
    )
  }
})

/** A query of the buckets that it is told. */
type Look<A, E, R> = (within: Within) => Effect.Effect<ReadonlyArray<A>, E, R>

const whole = <A>(found: ReadonlyArray<A>): Looked<A> => ({ found, isWhole: true })

const missing: Looked<never> = { found: [], isWhole: false }

/**
 * Queries rows of several buckets: at once, or where they are distributed by a statement for each bucket, since a node
 * is asked only for a bucket that it is told. Answers `instead` of the items whose node is away.
 */
export const makeLookByBucket = Effect.gen(function* () {
  const buckets = yield* Buckets
  const isDistributed = yield* IsDistributed

  return <Item extends { readonly bucket: number }, A, E, R>(
    items: ReadonlyArray<Item>,
    look: (within: Within, some: ReadonlyArray<Item>) => Effect.Effect<ReadonlyArray<A>, E, R>,
    instead: (lost: ReadonlyArray<Item>) => ReadonlyArray<A>
  ) =>
    Effect.forEach(
      isDistributed ? byBucket(items) : [items],
      (some) => {
        const found = look(buckets.within(some[0]?.bucket ?? 0), some)
        return isDistributed ? Effect.catchIf(found, isLost, () => Effect.succeed(instead(some))) : found
      },
      { concurrency: bucketsAtOnce }
    ).pipe(Effect.map((found) => found.flat()))
})

/** Whether a query may find more when it goes node by node. */
export const isLost = (error: unknown): boolean => isSqlError(error) && isPartly(error)

/** The same, or has not answered in time. */
const isSilent = (error: unknown): boolean => isLost(error) || (isSqlError(error) && hasPassed(error))
