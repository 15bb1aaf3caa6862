/** The stores on a coordinator and two workers that a test has for itself, so that it may lose one. */
import * as PgDatabase from "@runhook/store-pg/PgDatabase"
import * as PgStore from "@runhook/store-pg/PgStore"
import { AccountId } from "@runhook/core/shared/Ids"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { createDatabase, type Node, said, start, urlOf } from "@runhook/test-support/citus/Cluster"

const database = "runhook"

const AccountRows = Schema.Array(Schema.Struct({ id: AccountId }))

/** The accounts whose rows lie on another node. */
const accountsBeside = ({ port }: Node) => `
  SELECT a.id
  FROM accounts a
  JOIN pg_dist_placement p ON p.shardid = get_shard_id_for_distribution_column('executions', a.bucket)
  JOIN pg_dist_node n ON n.groupid = p.groupid
  WHERE n.nodeport <> ${port}`

/** A coordinator and two workers that end with the scope, or before it. */
const nodes = Effect.acquireRelease(Effect.promise(start), (all) =>
  Effect.promise(() => Promise.all(all.map((node) => node.end())))
)

const makeLosable = Effect.gen(function* () {
  const [coordinator, lost, other] = yield* nodes
  if (coordinator === undefined || lost === undefined || other === undefined)
    return yield* Effect.die("There are three nodes")
  yield* Effect.promise(() => createDatabase([coordinator, lost, other], database))
  const options = { url: Redacted.make(urlOf(coordinator.port, database)), maxConnections: 4 }
  yield* PgDatabase.upToDate(options)
  const stores = PgStore.layerStores.pipe(
    Layer.provideMerge(PgDatabase.layer(options)),
    Layer.provideMerge(SecureRandom.layerWebCrypto)
  )
  const ask = (statement: string) => Effect.promise(() => said(coordinator.port, database, statement))
  return {
    stores,
    nodes: {
      ask,
      /** Loses it, and answers the accounts that are elsewhere. */
      lose: Effect.gen(function* () {
        const rows = yield* Effect.orDie(
          Schema.decodeUnknownEffect(AccountRows)(yield* ask(accountsBeside(lost)))
        )
        yield* Effect.promise(lost.stop)
        return rows.map(({ id }) => id)
      }),
      bringBack: Effect.promise(lost.start)
    }
  }
})

type Losable = Effect.Success<typeof makeLosable>

/** Runs a test with the stores, and a node that it may lose. */
export const withLosableNode = <A, E, R>(test: (nodes: Losable["nodes"]) => Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const losable = yield* makeLosable
    return yield* Effect.provide(test(losable.nodes), losable.stores, { local: true })
  }).pipe(Effect.scoped)
