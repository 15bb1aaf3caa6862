/**
 * What a busy service asks of its stores goes to the node that has the account,
 * as a whole: a statement that Citus takes apart goes to and fro between the
 * coordinator and that node, once for each part.
 */
import { assert, describe, it } from "@effect/vitest"
import type { AccountId } from "@runhook/core/shared/Ids"
import { roomFor } from "@runhook/core/deliveries/claim/ClaimRoom"
import { DeliveryStore } from "@runhook/core/deliveries/DeliveryStore"
import * as PgDatabase from "@runhook/store-pg/PgDatabase"
import * as PgStore from "@runhook/store-pg/PgStore"
import { lease, makeSender } from "@runhook/store-testing/deliveries/DeliveryFixtures"
import { callbackUrl, second } from "@runhook/store-testing/Fixtures"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Record from "effect/Record"
import { queueMany } from "../deliveries/queue/Queued.ts"
import { deliveryRound } from "../plans/DeliveryRound.ts"
import { executionRound } from "../plans/ExecutionRound.ts"
import { upkeepRound } from "../plans/UpkeepRound.ts"
import { makeSamples } from "../plans/Samples.ts"
import { together } from "../plans/Verb.ts"
import { TestDatabase } from "../TestDatabase.ts"
import { Asked, type Sent } from "./Asked.ts"

/** Statements that ask all nodes, once each: they look for what is due in all accounts. By verb, and what they read first. */
const onAllNodes = [
  "a claim of schedules: schedules",
  "a look for what is wrong: agents",
  "a look for what is wrong: usage_sums",
  "a look for what is wrong: webhook_receivers",
  "bite of a job for a task: cancel_jobs",
  "bite of a job: cancel_jobs",
  "giving back: webhook_queue",
  "sweep of attempts: executions",
  "sweep of leases: agent_slots",
  "sweep of what is forgotten: cancel_jobs",
  "sweep of what is forgotten: idempotency_keys",
  "sweep of what is forgotten: runner_sessions",
  "sweep of what is forgotten: webhook_replays",
  "sweep of what was not started: executions",
  "sweep's next look: agent_slots",
  "take of deliveries: webhook_queue",
  "taking back: webhook_queue",
  "when a schedule is due: schedules"
]

const stores = PgStore.layerStores.pipe(
  Layer.provideMerge(
    Layer.unwrap(Asked.use(({ url }) => Effect.succeed(PgDatabase.layer({ url, maxConnections: 20 }))))
  ),
  Layer.provideMerge(Asked.layer),
  Layer.provideMerge(Layer.merge(TestDatabase.layerMigrated, SecureRandom.layerWebCrypto))
)

/** Milliseconds for all that a busy service does, on a busy machine. */
const timeout = 300_000

const ofTransactions = /^\s*(BEGIN|COMMIT|ROLLBACK|SAVEPOINT|RELEASE|SET)\b/i

type Way = "whole" | "on all nodes" | "in parts"

/** How Citus goes about what has this plan. It refuses to tell that of some statements that it takes apart. */
const wayOf = (plan = "Distributed Subplan"): Way => {
  if (/Task Count: (?!1$)/m.test(plan)) return "on all nodes"
  return /Distributed Subplan|INSERT\/SELECT method/.test(plan) ? "in parts" : "whole"
}

/** What a statement inserts into first, or else what it reads first. */
const tableOf = ({ text }: Sent): string =>
  /INSERT INTO (\w+)/.exec(text)?.[1] ?? /FROM\s+(\w+)/.exec(text)?.[1] ?? text

describe("Statements on Citus", () => {
  it.layer(stores, { timeout, excludeTestServices: true })((it) => {
    it.effect(
      "go to one node as a whole, but for those that are known not to",
      () =>
        Effect.gen(function* () {
          const { planOf, sentBy } = yield* Asked
          const samples = yield* makeSamples
          const verbs = [
            ...(yield* executionRound(samples)),
            ...(yield* upkeepRound(samples)),
            ...(yield* deliveryRound(samples))
          ]
          const found = new Map<Way, Set<string>>()

          for (const { name, rows, run } of verbs) {
            const sent = yield* sentBy(run)
            if (rows === Infinity) continue
            for (const each of new Map(sent.map((one) => [one.text, one])).values()) {
              if (ofTransactions.test(each.text)) continue
              const way = wayOf(yield* planOf(each))
              found.set(way, (found.get(way) ?? new Set()).add(`${name}: ${tableOf(each)}`))
            }
          }

          const known = { "in parts": [], "on all nodes": onAllNodes }
          assert.deepStrictEqual(
            Record.map(known, (_, way) => [...(found.get(way) ?? [])].toSorted()),
            Record.map(known, (statements) => statements.toSorted())
          )
        }),
      timeout
    )
  })

  it.layer(stores, { timeout, excludeTestServices: true })((it) => {
    it.effect("look for callbacks once, in however many accounts a few of them wait", () =>
      Effect.gen(function* () {
        const { sentBy } = yield* Asked
        const store = yield* DeliveryStore
        yield* Effect.forEach([1, 2, 3], () =>
          Effect.flatMap(makeSender(), (sender) => queueMany(sender, { count: 1, url: callbackUrl }))
        )
        let taken = 0

        const sent = yield* sentBy(
          Effect.tap(store.claimDue({ room: roomFor(together), lease, at: second(1) }), ({ deliveries }) =>
            Effect.sync(() => (taken = deliveries.length))
          )
        )

        assert.strictEqual(taken, 3)
        assert.lengthOf(
          sent.filter(({ text }) => /FROM[^;]*webhook_queue/.test(text) && !text.includes("UPDATE")),
          1
        )
      })
    )

    it.effect("look for callbacks once on each shard, when more wait than is read at once", () =>
      Effect.gen(function* () {
        const { planOf, sentBy } = yield* Asked
        const store = yield* DeliveryStore
        const senders = yield* Effect.replicateEffect(makeSender(), 12)
        yield* Effect.forEach(senders, (sender) => queueMany(sender, { count: 50, url: callbackUrl }))
        const claimed = new Set<AccountId>()

        const sent = yield* sentBy(
          Effect.tap(store.claimDue({ room: roomFor(1_000), lease, at: second(1) }), ({ deliveries }) =>
            Effect.sync(() => deliveries.forEach(({ delivery }) => claimed.add(delivery.accountId)))
          )
        )

        const looks = sent.filter(
          ({ text }) => /FROM[^;]*webhook_queue/.test(text) && !text.includes("UPDATE")
        )
        const ways = yield* Effect.forEach(looks, (look) => Effect.map(planOf(look), wayOf))
        assert.deepStrictEqual(ways, ["on all nodes", "whole", "whole", "whole", "whole"])
        assert.sameMembers(
          [...claimed],
          senders.map(({ accountId }) => accountId)
        )
      })
    )
  })
})
