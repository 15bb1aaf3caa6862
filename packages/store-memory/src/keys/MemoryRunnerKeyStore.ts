/** Runner keys in memory. */
import { RunnerKeyRecord } from "@runhook/core/keys/RunnerKeyRecord"
import { RunnerKeyNotFound, RunnerKeyStore } from "@runhook/core/keys/RunnerKeyStore"
import * as Effect from "effect/Effect"
import * as Iterable from "effect/Iterable"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { makeAudited } from "../audit/Audited.ts"
import { MemoryDatabase } from "../MemoryDatabase.ts"
import { pageOf } from "../tables/Paging.ts"
import { storedAs } from "../tables/StoredAs.ts"

const stored = storedAs(RunnerKeyRecord)

export const layer = Layer.effect(
  RunnerKeyStore,
  Effect.gen(function* () {
    const { runnerKeys, runnerKeyIds } = yield* MemoryDatabase
    const audited = yield* makeAudited

    return RunnerKeyStore.of({
      create: (key, audit) =>
        audited((note) => {
          const row = stored(key)
          note(audit?.(row))
          runnerKeys.set(key.id, row)
          runnerKeyIds.set(key.prefix, key.id)
          return Result.void
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

      revoke: ({ accountId, id, at, audit }) =>
        audited((note) => {
          const key = runnerKeys.get(id)
          if (key?.accountId !== accountId) return Result.fail(new RunnerKeyNotFound({ id }))
          note(audit?.(key))
          runnerKeys.set(id, { ...key, revokedAt: key.revokedAt ?? at })
          return Result.void
        })
    })
  })
)
