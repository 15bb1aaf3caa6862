/** Runner keys in memory. */
import { RunnerKeyRecord } from "@runhook/core/domain/RunnerKeyRecord"
import { RunnerKeyNotFound, RunnerKeyStore } from "@runhook/core/ports/RunnerKeyStore"
import * as Effect from "effect/Effect"
import * as Iterable from "effect/Iterable"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { MemoryDatabase } from "./MemoryDatabase.ts"
import { pageOf } from "./Paging.ts"
import { storedAs } from "./StoredAs.ts"
import { transaction } from "./Transaction.ts"

const stored = storedAs(RunnerKeyRecord)

export const layer: Layer.Layer<RunnerKeyStore, never, MemoryDatabase> = Layer.effect(
  RunnerKeyStore,
  Effect.gen(function* () {
    const { runnerKeys, runnerKeyIds } = yield* MemoryDatabase

    return RunnerKeyStore.of({
      create: (key) =>
        Effect.sync(() => {
          runnerKeys.set(key.id, stored(key))
          runnerKeyIds.set(key.prefix, key.id)
        }),

      findByPrefix: (prefix) =>
        Effect.sync(() => {
          const id = runnerKeyIds.get(prefix)
          return id && runnerKeys.get(id)
        }),

      list: (accountId, page) =>
        Effect.sync(() =>
          pageOf(
            Iterable.filter(runnerKeys.values(), (key) => key.accountId === accountId),
            page
          )
        ),

      revoke: ({ accountId, id, at }) =>
        transaction(() => {
          const key = runnerKeys.get(id)
          if (key?.accountId !== accountId) return Result.fail(new RunnerKeyNotFound({ id }))
          runnerKeys.set(id, { ...key, revokedAt: key.revokedAt ?? at })
          return Result.void
        })
    })
  })
)
