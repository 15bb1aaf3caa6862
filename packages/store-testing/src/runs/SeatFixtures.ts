/** Executions that share a concurrency key, and how seats are given to them, for tests. */
import { type Concurrency, replacedReason } from "@runhook/core/runs/seats/Concurrency"
import type { Execution } from "@runhook/core/executions/Execution"
import { ExecutionStore } from "@runhook/core/executions/ExecutionStore"
import { SweepStore } from "@runhook/core/sweeps/SweepStore"
import * as Effect from "effect/Effect"
import { second, type Tenant } from "../Fixtures.ts"
import { claimUpTo, makeSession } from "./RunFixtures.ts"

export const sharing = (fields: Partial<Concurrency> = {}): { readonly concurrency: Concurrency } => ({
  concurrency: { key: "customer 42", limit: 1, policy: "queue", ...fields }
})

/** Gives seats until none is left to give, and answers who is in the way of others. */
export const given = Effect.fnUntraced(function* (at: number) {
  const store = yield* SweepStore
  const rounds = []
  do rounds.push(yield* store.giveSeats({ at: second(at), limit: 100 }))
  while ((rounds.at(-1)?.keys ?? 0) > 0)
  return {
    seated: rounds.flatMap(({ seated }) => seated),
    inTheWay: rounds.flatMap(({ inTheWay }) => inTheWay)
  }
})

/** What a new session can claim of the tenant, seats given before. */
export const claimed = Effect.fnUntraced(function* (tenant: Tenant, at: number) {
  yield* given(at)
  const session = yield* makeSession(tenant)
  const { claims } = yield* claimUpTo(session, { limit: 100, at: second(at) })
  return claims
})

/** Cancels what is in the way of others until nothing is, as the loop of a process does; answers what it has cancelled. */
export const settled = Effect.fnUntraced(function* (at: number) {
  const store = yield* ExecutionStore
  const cancelled: Array<string> = []
  for (let now = at; ; now += 1) {
    const { inTheWay } = yield* given(now)
    if (inTheWay.length === 0) return cancelled
    cancelled.push(...inTheWay.map(({ id }) => id))
    yield* Effect.forEach(inTheWay, (ref) =>
      store.stop({ ...ref, to: "cancelled", reason: replacedReason, at: second(now) })
    )
  }
})

export const stopped = ({ accountId, id }: Execution, at: number) =>
  Effect.flatMap(ExecutionStore, (store) =>
    Effect.orDie(store.stop({ accountId, id, to: "aborted", reason: null, at: second(at) }))
  )
