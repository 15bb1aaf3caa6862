/** What a receiver costs the others whose queue has grown long, in each state that it may be in. */
import { assert, describe, it } from "@effect/vitest"
import { roomFor } from "@runhook/core/deliveries/claim/ClaimRoom"
import { DeliveryStore } from "@runhook/core/deliveries/DeliveryStore"
import * as PgStore from "@runhook/store-pg/PgStore"
import { lease, makeSender, type Sender } from "@runhook/store-testing/deliveries/DeliveryFixtures"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { SqlClient } from "effect/sql/SqlClient"
import { type PlanMode, sentBy, touchedBy } from "./Explain.ts"
import { layerMigrated } from "../../TestDatabase.ts"
import { queueMany, rows } from "./Queued.ts"

const stores = PgStore.layerStores.pipe(
  Layer.provideMerge(SecureRandom.layerWebCrypto),
  Layer.provideMerge(layerMigrated)
)

const longUrl = "https://long.example/hook"

/** Receivers beside the one with the long queue, and what waits for each. */
const others = { receivers: 10, deliveries: 3 }

/** Pages that any statement of a claim may ask for: some 30 for each of 30 deliveries, where the whole queue has thousands. */
const blocksMax = 2_000

const modes: ReadonlyArray<PlanMode> = ["force_custom_plan", "force_generic_plan"]

/** The states of the receiver, as its row holds them: openings, end of the hold and closing, in seconds from now. */
const states = {
  well: [0, null, null],
  open: [3, 60, null],
  "to be probed": [3, -1, null],
  paused: [0, 60, null],
  "back just now": [0, null, 0],
  "back for a while": [0, null, -20]
} as const

/** Brings the receiver of a sender into a state. */
const bring = Effect.fnUntraced(function* (
  { accountId }: Sender,
  [openings, heldFor, closedFor]: (typeof states)[keyof typeof states]
) {
  const sql = yield* SqlClient
  yield* sql`DELETE FROM webhook_receivers`
  yield* sql`
    INSERT INTO webhook_receivers (bucket, account_id, origin, openings, held_until, closed_at)
    SELECT bucket, id, 'https://long.example', ${openings}::integer,
      now() + ${heldFor}::integer * interval '1 second', now() + ${closedFor}::integer * interval '1 second'
    FROM accounts
    WHERE id = ${accountId}::uuid`
})

/** What each statement of a verb asks for, in either way of planning. */
const costsOf = Effect.fnUntraced(function* <A, E, R>(verb: Effect.Effect<A, E, R>) {
  const statements = yield* sentBy(verb)
  return yield* Effect.forEach(
    statements.flatMap((sent) => modes.map((mode) => ({ mode, sent }))),
    ({ mode, sent }) =>
      Effect.map(touchedBy(sent, mode), ({ blocks }) => ({
        blocks,
        said: `${mode}, ${blocks} blocks by ${sent.text}`
      }))
  )
})

describe("A receiver with a long queue", () => {
  it.layer(stores, { timeout: 3_600_000 })((it) => {
    it.effect(
      "costs a claim of the others a bounded number of pages, however it fares",
      () =>
        Effect.gen(function* () {
          const sql = yield* SqlClient
          const store = yield* DeliveryStore
          const sender = yield* makeSender()
          yield* queueMany(sender, { count: yield* rows(50_000), url: longUrl })
          for (let receiver = 0; receiver < others.receivers; receiver++) {
            const url = `https://other-${receiver}.example/hook`
            yield* queueMany(sender, { count: others.deliveries, url })
          }
          const claim = Effect.flatMap(DateTime.now, (at) =>
            store.claimDue({ room: { ...roomFor(256), receiver: 4 }, lease, at })
          )
          const excess: Array<string> = []

          for (const statistics of ["of empty tables", "true"]) {
            if (statistics === "true")
              yield* sql`ANALYZE webhook_queue, webhook_deliveries, webhook_receivers`
            for (const [name, state] of Object.entries(states)) {
              yield* bring(sender, state)
              for (const costs of yield* costsOf(claim)) {
                if (costs.blocks > blocksMax) excess.push(`${name}, statistics ${statistics}: ${costs.said}`)
              }
            }
          }

          assert.deepStrictEqual(excess, [])
        }),
      3_600_000
    )
  })
})
