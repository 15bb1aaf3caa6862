import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { allOf, type History } from "../durability/history/History.ts"
import type { Load } from "../durability/load/Load.ts"
import { type Outcome, ServedFromCitus, until } from "./ServedFromCitus.ts"

const timeout = 600_000

const noFaults = (outcomes: ReadonlyArray<Outcome>) =>
  assert.deepStrictEqual(
    outcomes.map(({ faults }) => faults),
    outcomes.map(() => [])
  )

/** Reads that were sent after that moment, by the status of their answers. */
const readsAfter = (history: History, after: number) =>
  Map.groupBy(
    allOf(history, "requested").filter(({ call, sentAt }) => sentAt > after && call.startsWith("GET")),
    ({ outcome }) => outcome
  )

/** Executions that were created after that moment, and claimed, started, finished and called back since. */
const doneAfter = (history: History, after: number): ReadonlyArray<string> => {
  const accepted = (verb: string) =>
    allOf(history, "written").filter((written) => written.accepted && written.verb === verb)
  const steps = [
    allOf(history, "created").filter(({ sentAt }) => sentAt > after),
    allOf(history, "claimed"),
    accepted("start"),
    accepted("complete"),
    allOf(history, "receipt").filter(({ type }) => type === "execution.completed")
  ]
  const [created = new Set<string>(), ...since] = steps.map(
    (entries) => new Set(entries.map(({ executionId }) => executionId))
  )
  return [...created].filter((id) => since.every((ids) => ids.has(id)))
}

/** So many executions show that an account is served. */
const enough = 5

/** Creates in each second from that moment on, with the times that they took and those that were refused. */
const curveOf = (history: History, from: number): string =>
  Object.entries(
    Object.groupBy(
      allOf(history, "requested").filter(({ call }) => call === "POST /integrations/executions"),
      ({ at }) => Math.floor((at - from) / 1_000)
    )
  )
    .toSorted(([one], [other]) => Number(one) - Number(other))
    .map(([second, creates = []]) => {
      const times = creates
        .map(({ at, sentAt }) => Math.round(at - sentAt))
        .toSorted((one, other) => one - other)
      const refused = creates.filter(({ outcome }) => outcome === 503).length
      return `| ${second} | ${creates.length} | ${times[times.length >> 1]} | ${times.at(-1)} | ${refused} |`
    })
    .join("\n")

const loadsOnBoth = async ({ loadOn, workers }: ServedFromCitus["Service"]) => {
  const [one, other] = [await loadOn(workers[0]), await loadOn(workers[1])]
  return {
    one,
    other,
    both: [one, other],
    async [Symbol.asyncDispose]() {
      await Promise.all([one, other].map((load: Load) => load[Symbol.asyncDispose]()))
    }
  }
}

describe("a service on Citus under load", () => {
  it.layer(ServedFromCitus.layer, { excludeTestServices: true, timeout })((it) => {
    it.effect(
      "keeps all it acknowledged, in order and in time: kill -9 of the coordinator",
      () =>
        Effect.gen(function* () {
          const served = yield* ServedFromCitus
          const { ask, coordinator, kill, under, workers } = served
          yield* Effect.promise(async () => {
            await using loads = await loadsOnBoth(served)

            const outcomes = await under(loads.both, async () => {
              await kill(coordinator)
              await coordinator.start()
            })

            noFaults(outcomes)
            // Transactions of both that it had not ended would hold their locks.
            for (const worker of workers)
              await until(async () => {
                const left = await ask(worker, "SELECT count(*)::integer AS count FROM pg_prepared_xacts")
                return "count" in left && left.count === 0
              })
          })
        }),
      timeout
    )

    it.effect(
      "keeps all it acknowledged, in order and in time: kill -9 of a worker, while others are served to the end",
      () =>
        Effect.gen(function* () {
          const served = yield* ServedFromCitus
          const { kill, under, workers } = served
          yield* Effect.promise(async () => {
            await using loads = await loadsOnBoth(served)
            const { one: harmed, other: unharmed } = loads
            let [goneAt, backAt] = [0, 0]

            const outcomes = await under(loads.both, async () => {
              await kill(workers[0])
              goneAt = harmed.now()
              await until(async () => readsAfter(await harmed.soFar(), goneAt).has(503))
              await until(async () => doneAfter(await unharmed.soFar(), goneAt).length >= enough)
              backAt = harmed.now()
              await workers[0].start()
            })

            noFaults(outcomes)
            const refused = allOf(outcomes[1]?.history ?? [], "requested").filter(
              ({ at, outcome, sentAt }) => sentAt > goneAt && at < backAt && outcome === 503
            )
            assert.deepStrictEqual(refused, [])
          })
        }),
      timeout
    )

    it.effect(
      "keeps all it acknowledged, in order and in time: a worker more, to which a shard and a bucket move",
      () =>
        Effect.gen(function* () {
          const served = yield* ServedFromCitus
          const { ask, coordinator, grow, placeOf, under, workers } = served
          const say = (statement: string) => ask(coordinator, statement)
          yield* Effect.promise(async () => {
            await using loads = await loadsOnBoth(served)
            const { one: moved } = loads
            let [from, place] = [0, 0]

            const outcomes = await under(loads.both, async () => {
              from = moved.now()
              const added = await grow()
              await say("SELECT citus_rebalance_start(shard_transfer_mode => 'force_logical')")
              await say("SELECT citus_rebalance_wait()")
              const rebalancedAt = moved.now()
              // A bucket of its own node.
              const [here, there] = [await placeOf(moved), workers.concat(added).map(({ port }) => port)]
              const isolated = await say(
                `SELECT isolate_tenant_to_new_shard('executions', (SELECT bucket FROM accounts WHERE id = '${moved.accountId}'),
                   'CASCADE', shard_transfer_mode => 'block_writes') AS shard`
              )
              place = there.find((port) => port !== here) ?? 0
              await say(
                `SELECT citus_move_shard_placement(${Object(isolated).shard}, '127.0.0.1', ${here}, '127.0.0.1', ${place},
                   shard_transfer_mode => 'force_logical')`
              )
              console.info(
                `rebalanced after ${rebalancedAt - from} ms, pinned after ${moved.now() - from} ms`
              )
            })

            console.info(curveOf(outcomes[0]?.history ?? [], from))
            noFaults(outcomes)
            assert.strictEqual(await placeOf(moved), place)
          })
        }),
      timeout
    )
  })
})
