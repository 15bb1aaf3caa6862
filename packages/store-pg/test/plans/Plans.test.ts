/**
 * What a busy service asks of its stores touches what it answers or changes and
 * little else, however much is kept and however much waits, and whatever
 * PostgreSQL knew of it when it planned.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { deliveryRound } from "./DeliveryRound.ts"
import { endpointRound } from "./EndpointRound.ts"
import { executionRound } from "./ExecutionRound.ts"
import { upkeepRound } from "./UpkeepRound.ts"
import { ExplainingServer } from "./ExplainingServer.ts"
import { listsOfDeliveries, listsOfExecutions } from "./ListRound.ts"
import { emptyQueues, growing, keepNothing, makePast, renewStatistics } from "./Past.ts"
import type { Step } from "./Ran.ts"
import { layerOf } from "./ExplainedStores.ts"
import { makeSamples, type Samples } from "./Samples.ts"
import { seatRound } from "./SeatRound.ts"
import type { Verb } from "./Verb.ts"

/** The most blocks that any step of a plan may touch for each row that is asked for. */
const blocksMax = 25

/**
 * The most rows that any step may take up: what waits, once. A plan that was made while nothing did may go through the
 * index of a queue, but never for each row that is asked for, and never through what is kept.
 */
const rowsMax = 15_000

/** Milliseconds for a server, a past and all rounds, on a busy machine; with millions of rows it is an hour. */
const timeout = 3_600_000

const isTooMuch =
  (asked: number) =>
  ({ blocks, kind, rows, table }: Step): boolean =>
    rows > rowsMax ||
    blocks > blocksMax * (asked + 1) ||
    kind === "BitmapAnd" ||
    (kind === "Seq Scan" && table !== undefined && growing.includes(table))

/** Does everything once, and says what touches too much. */
const round = Effect.fnUntraced(function* (samples: Samples) {
  const { ranBy } = yield* ExplainingServer
  const verbs: ReadonlyArray<Verb> = [
    ...(yield* executionRound(samples)),
    ...(yield* upkeepRound(samples)),
    ...(yield* deliveryRound(samples)),
    ...(yield* endpointRound(samples)),
    ...(yield* seatRound(samples)),
    ...(yield* listsOfExecutions(samples)),
    ...(yield* listsOfDeliveries(samples))
  ]
  const found = yield* Effect.forEach(verbs, ({ name, rows, run }) =>
    Effect.map(ranBy(run), (ran) => {
      if (rows === Infinity) return []
      if (ran.length === 0) return [`${name}: nothing was told of it`]
      return ran.flatMap(({ steps, text }) => {
        const excess = steps.filter(isTooMuch(rows))
        return excess.length === 0 ? [] : [`${name}: ${excess.map(said).join(", ")} by ${text}`]
      })
    })
  )
  return found.flat()
})

const said = ({ blocks, kind, rows, table = "" }: Step): string =>
  `${kind} ${table} (${rows} rows, ${blocks} blocks)`

/** A server where much is kept and much waits, of which PostgreSQL knows nothing yet. */
const makeFilled = Effect.gen(function* () {
  const samples = yield* makeSamples
  yield* keepNothing
  yield* makePast(samples)
  return samples
})

describe("What statements touch", () => {
  it.layer(layerOf("newest"), { timeout, excludeTestServices: true })((it) => {
    it.effect(
      "is in proportion to what is asked, however much is kept and waits, and if nothing waited when they were planned",
      () =>
        Effect.gen(function* () {
          const { plan } = yield* ExplainingServer
          const samples = yield* makeFilled
          yield* plan("force_generic_plan")
          const refillQueues = yield* emptyQueues
          yield* renewStatistics
          yield* round(samples)
          yield* refillQueues

          const plannedWhileQuiet = yield* round(samples)
          yield* renewStatistics
          const planned = yield* round(samples)
          yield* plan("force_custom_plan")
          const plannedAnew = yield* round(samples)

          assert.deepStrictEqual(
            { plannedWhileQuiet, planned, plannedAnew },
            { plannedWhileQuiet: [], planned: [], plannedAnew: [] }
          )
        }),
      timeout
    )
  })

  it.layer(layerOf("oldest"), { timeout, excludeTestServices: true })((it) => {
    // Before PostgreSQL 17 a look-up by arrays has no plan that is good for a queue that was empty: it goes through the
    // index of the queue, once for each statement, until the next ANALYZE.
    it.effect(
      "is in proportion to what is asked on the oldest PostgreSQL, however much is kept and waits",
      () =>
        Effect.gen(function* () {
          const { plan } = yield* ExplainingServer
          const samples = yield* makeFilled
          yield* renewStatistics
          yield* plan("force_generic_plan")

          const planned = yield* round(samples)
          yield* plan("force_custom_plan")
          const plannedAnew = yield* round(samples)

          assert.deepStrictEqual({ planned, plannedAnew }, { planned: [], plannedAnew: [] })
        }),
      timeout
    )
  })
})
