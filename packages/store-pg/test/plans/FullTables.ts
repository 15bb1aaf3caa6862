/** What statements may visit, however full the tables are and whatever PostgreSQL knows of them. */
import { assert, describe, it } from "@effect/vitest"
import { type Clock, StoreClock } from "@runhook/store-pg/clock/StoreClock"
import type { PointReads } from "@runhook/store-pg/connections/PointReads"
import * as PgStore from "@runhook/store-pg/PgStore"
import type { Stores } from "@runhook/store-testing/Fixtures"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { SqlClient } from "effect/sql/SqlClient"
import { layerMigrated } from "../TestDatabase.ts"
import { type PlanMode, sentBy, type Touched, touchedBy } from "./Explain.ts"
import { Filled, growing, renewStatistics } from "./Filled.ts"

/** Something that a store does, over what is filled. */
export interface Verb {
  readonly name: string
  readonly run: Effect.Effect<unknown, unknown>
}

/** Rows of a page, and of everything else that is asked for so many at a time. */
export const limit = 50

/** The most rows that a step of a plan may take up: what is in the slots of an account, or a page of each status. */
const rowsMax = 40 * limit

/** The most blocks that a statement may ask for: a page in two statuses needs 1,100, four tables by an index each. */
const blocksMax = 60 * limit

/** Milliseconds for filling tables with millions of rows. */
const timeout = 3_600_000

const modes: ReadonlyArray<PlanMode> = ["force_custom_plan", "force_generic_plan"]

const layerBy = (clock: Clock) =>
  Filled.layer.pipe(
    Layer.provideMerge(PgStore.layerStores),
    Layer.provideMerge(SecureRandom.layerWebCrypto),
    Layer.provideMerge(Layer.merge(layerMigrated, Layer.succeed(StoreClock, clock)))
  )

/** Holds the statements of the verbs to the bounds: first under the statistics of empty tables, then under true ones. */
export const suite = <E>(
  name: string,
  /** What falls due only later is seen by the clock of the caller alone. */
  clock: Clock,
  makeVerbs: Effect.Effect<ReadonlyArray<Verb>, E, Filled | PointReads | SqlClient | Stores>
) =>
  describe(`Plans: ${name}`, () => {
    it.layer(layerBy(clock), { timeout })((it) => {
      it.effect(
        "visit a bounded part of full tables, under the statistics of empty ones and under true ones",
        () =>
          Effect.gen(function* () {
            const verbs = yield* makeVerbs

            const stale = yield* excessOf(verbs)
            yield* renewStatistics
            const fresh = yield* excessOf(verbs)

            assert.deepStrictEqual({ stale, fresh }, { stale: [], fresh: [] })
          }),
        timeout
      )
    })
  })

/** What visits more than it may, in either way of planning. */
const excessOf = Effect.fnUntraced(function* (verbs: ReadonlyArray<Verb>) {
  const found: Array<string> = []
  for (const { name, run } of verbs) {
    for (const sent of yield* sentBy(run)) {
      for (const mode of modes) {
        const touched = yield* touchedBy(sent, mode)
        if (isTooMuch(touched)) found.push(`${name}, ${mode}: ${said(touched)}`)
      }
    }
  }
  return found
})

/** A sort takes up no more than the step below it, so the bound of rows is one of sorts too. */
const isTooMuch = ({ blocks, rows, scanned }: Touched): boolean =>
  rows > rowsMax || blocks > blocksMax || scanned.some((table) => growing.includes(table))

const said = ({ blocks, rows, scanned, text }: Touched): string =>
  `${rows} rows, ${blocks} blocks, all of [${scanned.join(", ")}] by ${text}`
