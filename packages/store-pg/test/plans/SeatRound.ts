/** What a busy service does with executions that share seats, one verb after the other, each for real. */
import type { Execution } from "@runhook/core/executions/Execution"
import { ExecutionStore } from "@runhook/core/executions/ExecutionStore"
import { HistoryStore } from "@runhook/core/executions/history/HistoryStore"
import { SweepStore } from "@runhook/core/sweeps/SweepStore"
import { inTheWayMax } from "@runhook/store-pg/runs/seats/InTheWay"
import { makeExecution, newExecution, second, unlimited } from "@runhook/store-testing/Fixtures"
import { claimUpTo } from "@runhook/store-testing/runs/RunFixtures"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import { type Samples, sharing } from "./Samples.ts"
import { type Asked, prepared, together, type Verb } from "./Verb.ts"

const at = second(2)

export const seatRound = Effect.fnUntraced(function* ({ keyed: { session, tenant } }: Samples) {
  const executions = yield* ExecutionStore
  const history = yield* HistoryStore
  const sweeps = yield* SweepStore
  let made: Execution | undefined
  let replacing: Execution | undefined
  const create = DateTime.now.pipe(
    Effect.flatMap((createdAt) => makeExecution(tenant, { ...sharing, createdAt })),
    Effect.tap((execution) => Effect.sync(() => (made = execution)))
  )
  const rejected = Effect.flatMap(
    newExecution(tenant, { concurrency: { ...sharing.concurrency, policy: "reject" } }),
    (execution) => Effect.flip(executions.create({ ...unlimited, execution }))
  )
  const alone = Effect.flatMap(DateTime.now, (createdAt) =>
    makeExecution(tenant, {
      concurrency: { key: `order ${createdAt.epochMilliseconds}`, limit: 1, policy: "reject" },
      createdAt
    })
  )
  const createReplacing = DateTime.now.pipe(
    Effect.flatMap((createdAt) =>
      makeExecution(tenant, { concurrency: { ...sharing.concurrency, policy: "cancel_running" }, createdAt })
    ),
    Effect.tap((execution) => Effect.sync(() => (replacing = execution)))
  )
  const stop = ({ accountId, id }: Pick<Execution, "accountId" | "id">) =>
    executions.stop({ accountId, id, to: "cancelled", reason: null, at })
  const ofMade = (doing: (execution: Execution) => Asked) =>
    Effect.suspend(() => Effect.flatMap(Effect.fromNullishOr(made), doing))
  const give = sweeps.giveSeats({ at, limit: together })
  /** None is claimed where the queues were emptied. */
  const endOfSeated = Effect.flatMap(claimUpTo(session, { limit: 1, at }), ({ claims }) =>
    Effect.forEach(claims, ({ run }) => stop(run.execution))
  )
  const verb = (name: string, rows: number, run: Asked): Verb => ({ name, rows, run })

  const verbs: ReadonlyArray<Verb> = [
    verb(
      "creates that share seats",
      together,
      Effect.replicateEffect(create, together, { concurrency: "unbounded" })
    ),
    verb("when a seat is to be given", 1, sweeps.nextSeatAt(at)),
    verb("a look at what has come", together, give),
    verb("a create that is refused without a seat", 1, rejected),
    verb("a create of a key that nobody has", 1, alone),
    verb("the end of what has a seat", 1, endOfSeated),
    verb("a seat for the next", 1, give),
    verb("a look where no seat is free", 1, give),
    prepared(createReplacing),
    verb("a look for one that cancels all others", inTheWayMax, give),
    prepared(Effect.suspend(() => Effect.flatMap(Effect.fromNullishOr(replacing), stop))),
    verb("how many have seats", 1, ofMade(history.seatsTaken)),
    verb("a stop of what waits for a seat", 1, ofMade(stop))
  ]
  return verbs
})
