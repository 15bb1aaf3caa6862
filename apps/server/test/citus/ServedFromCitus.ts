/** A service on a coordinator and two workers of its own, to which anything may happen under load. */
import { mkdtemp } from "node:fs/promises"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as Scope from "effect/Scope"
import {
  createAlone,
  createDatabase,
  makeNode,
  type Node,
  said,
  urlOf
} from "@runhook/test-support/citus/Cluster"
import { judge } from "../durability/history/Checker.ts"
import { evidenceOf } from "../durability/history/Fault.ts"
import type { History } from "../durability/history/History.ts"
import { beginLoad, type Load } from "../durability/load/Load.ts"
import { fleetOf } from "../durability/systems/Fleet.ts"
import { processesIn, signal } from "../durability/systems/Postgres.ts"
import { runhook, temporaryDirectory } from "../RunhookProcess.ts"

const database = "runhook"
const adminKey = "the-admin-key-of-the-test-on-citus"

/** What it saw that nothing excuses, and the rest of what it saw. */
export interface Outcome {
  readonly history: History
  readonly faults: ReadonlyArray<string>
}

/** So many creates are a load. */
const enough = 12

/** Faults that are shown with all that is known of them. */
const shownMax = 5

export class ServedFromCitus extends Context.Service<
  ServedFromCitus,
  {
    readonly coordinator: Node
    readonly workers: readonly [Node, Node]
    /** Adds a worker that has no shard. */
    grow(): Promise<Node>
    /** `kill -9` for all of a node. */
    kill(node: Node): Promise<void>
    /** Sends a statement to a node; answers its first row. */
    ask(node: Node, statement: string): Promise<object>
    /** Begins a load whose account is on that worker. */
    loadOn(node: Node): Promise<Load>
    /** The port of the worker that has an account. */
    placeOf(load: Load): Promise<number>
    /** Has something happen under these loads, and answers what each saw to its end. */
    under(loads: ReadonlyArray<Load>, happen: () => Promise<unknown>): Promise<ReadonlyArray<Outcome>>
  }
>()("@runhook/server/test/citus/ServedFromCitus") {
  static readonly layer = Layer.effect(
    ServedFromCitus,
    Effect.gen(function* () {
      const [coordinator, ...workers] = yield* Effect.all([startNode(), startNode(), startNode()], {
        concurrency: 3
      })
      yield* Effect.promise(() => createDatabase([coordinator, ...workers], database))
      const ask = async (node: Node, statement: string) =>
        Object((await said(node.port, database, statement))[0])
      // Of which one moves to a third worker.
      yield* Effect.promise(() => ask(coordinator, `ALTER DATABASE ${database} SET citus.shard_count = 4`))
      const directory = yield* temporaryDirectory
      const settings = {
        RUNHOOK_ADMIN_KEY: adminKey,
        RUNHOOK_SECRET_KEY: "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
        RUNHOOK_CALLBACK_ALLOW: "127.0.0.0/8",
        RUNHOOK_DATABASE_URL: urlOf(coordinator.port, database),
        RUNHOOK_DATA_DIR: directory
      }
      yield* runhook(["migrate"], settings)
      const fleet = fleetOf(settings)
      yield* Effect.addFinalizer(() => Effect.promise(fleet.kill))
      yield* Effect.promise(fleet.start)
      const scope = yield* Effect.scope

      const placeOf = async ({ accountId }: Load) =>
        Schema.decodeUnknownSync(Schema.Struct({ port: Schema.Int }))(
          await ask(
            coordinator,
            `SELECT n.nodeport AS port
             FROM accounts a
             JOIN pg_dist_placement p ON p.shardid = get_shard_id_for_distribution_column('executions', a.bucket)
             JOIN pg_dist_node n ON n.groupid = p.groupid
             WHERE a.id = '${accountId}'`
          )
        ).port

      const outcomeOf = (history: History): Outcome => ({
        history,
        faults: judge(history)
          .slice(0, shownMax)
          .map((fault) => evidenceOf(history, fault))
      })

      return ServedFromCitus.of({
        coordinator,
        workers,
        ask,
        placeOf,
        grow: async () => {
          const node = await Effect.runPromise(Scope.provide(startNode(), scope))
          await createAlone(node, database)
          await ask(coordinator, `SELECT citus_add_node('127.0.0.1', ${node.port})`)
          return node
        },
        kill: async (node) => {
          for (const pid of await processesIn(node.folder)) signal(pid, "SIGKILL")
          await node.ended()
        },
        loadOn: async (node) => {
          for (;;) {
            const receipts = await mkdtemp(join(directory, "receiver"))
            const load = await beginLoad({ service: fleet, adminKey, seed: 1, directory: receipts })
            if ((await placeOf(load)) === node.port) return load
            await load.settle()
            await load[Symbol.asyncDispose]()
          }
        },
        under: async (loads, happen) => {
          await Promise.all(loads.map(moreAcknowledged))
          const from = performance.now()
          await happen()
          const struck = { is: "struck", from, until: performance.now() } as const
          await Promise.all(loads.map(moreAcknowledged))
          const histories = await Promise.all(loads.map((load) => load.settle()))
          return histories.map((history) => outcomeOf([...history, ...fleet.absences, struck]))
        }
      })
    })
  )
}

const startNode = () =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const node = await makeNode()
      await node.start()
      return node
    }),
    (node) => Effect.promise(node.end)
  )

const moreAcknowledged = async (load: Load): Promise<void> => {
  const before = load.acknowledged()
  await until(() => load.acknowledged() >= before + enough)
}

/** Waits for a condition, and for minutes at most. */
export const until = async (isThere: () => Promise<boolean> | boolean): Promise<void> => {
  for (let looks = 0; looks < 2_400; looks++) {
    if (await isThere()) return
    await pause(100)
  }
  throw new Error("It never came")
}
