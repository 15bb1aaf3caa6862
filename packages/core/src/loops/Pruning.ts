/**
 * Prunes old executions, deliveries, artifacts and entries of the audit log, and what
 * removed accounts have left: in every process, once an hour, also after a restart.
 */
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { nameInKey, storageKeyOf, strayAfter } from "../domain/artifact/Artifact.ts"
import { lowestIdAt } from "../domain/Ids.ts"
import { keptFor } from "../domain/people/PersonSession.ts"
import type { Retention } from "../domain/Retention.ts"
import { ArtifactStorage, type StoredKeys } from "../ports/ArtifactStorage.ts"
import { EndpointStore } from "../ports/EndpointStore.ts"
import { PeopleStore } from "../ports/PeopleStore.ts"
import { SweepStore } from "../ports/SweepStore.ts"
import * as Loop from "../runtime/Loop.ts"
import { RunnerTimings } from "../Settings.ts"

/** What one transaction may prune. */
const limit = 1_000

/** The same of executions, each of which has a dozen rows and more. */
const executionLimit = 100

const removalFailed = "A file of a pruned artifact could not be removed"

/**
 * Prunes until the scope ends. Processes that have an `ArtifactStorage` also remove
 * the files of pruned artifacts; a process that only delivers has none.
 */
export const layerLoop = (retention: Retention): Layer.Layer<never, never, SweepStore> =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const store = yield* SweepStore
      const storage = yield* Effect.serviceOption(ArtifactStorage)
      const finalizeMs = Duration.toMillis((yield* RunnerTimings).finalize)

      const pruneDeliveries = Effect.gen(function* () {
        const { hasMore } = yield* store.pruneDeliveries({ retention, at: yield* DateTime.now, limit })
        return hasMore
      })

      const pruneExecutions = Effect.gen(function* () {
        const { hasMore } = yield* store.pruneExecutions({
          retention,
          at: yield* DateTime.now,
          limit: executionLimit
        })
        return hasMore
      })

      const eraseAccounts = Effect.gen(function* () {
        const { hasMore } = yield* store.eraseAccounts({ at: yield* DateTime.now, limit: executionLimit })
        return hasMore
      })

      const pruneAudit = Effect.gen(function* () {
        const { hasMore } = yield* store.pruneAudit({ retention, at: yield* DateTime.now, limit })
        return hasMore
      })

      const pruneUploads = Effect.gen(function* () {
        const { hasMore } = yield* store.pruneUploads({ at: yield* DateTime.now, limit, finalizeMs })
        return hasMore
      })

      /** Whether the file is gone. One that cannot be removed does not hold up the others. */
      const isRemoved = ({ remove }: ArtifactStorage["Service"], storageKey: string) =>
        remove(storageKey).pipe(
          Effect.as(true),
          Effect.catchDefect((defect) => Effect.as(Effect.logError(removalFailed, defect), false))
        )

      /** Also files left by a turn that ended halfway, here or in another process. */
      const removeLeftOvers = Effect.fnUntraced(function* (files: ArtifactStorage["Service"]) {
        const removed = yield* Effect.filter(yield* store.leftOvers(limit), ({ storageKey }) =>
          isRemoved(files, storageKey)
        )
        yield* store.dropLeftOvers(removed)
        return removed.length === limit
      })

      let passed: string | null = null
      const count = { seen: 0, removed: 0 }

      /** Looks at a page of all files. A file is there only after its artifact, so what nothing knows was removed. */
      const removeStrays = Effect.fnUntraced(function* (files: ArtifactStorage["Service"]) {
        const oldBefore = lowestIdAt(DateTime.subtractDuration(yield* DateTime.now, strayAfter))
        const page: StoredKeys = yield* files.list(passed)
        const old = page.keys.map(nameInKey).filter(({ id }) => id < oldBefore)
        const strays = old.length === 0 ? [] : yield* store.strays(old)
        const removed = yield* Effect.filter(strays, (name) => isRemoved(files, storageKeyOf(name)))
        count.seen += page.keys.length
        count.removed += removed.length
        passed = page.next
        if (passed !== null) return true
        if (count.removed > 0) {
          yield* Effect.logInfo(
            `Of ${count.seen} files, ${count.removed} belonged to nothing and were removed`
          )
        }
        Object.assign(count, { seen: 0, removed: 0 })
        return false
      })

      yield* Loop.hourly(pruneDeliveries, "Deliveries could not be pruned")
      yield* Loop.hourly(pruneExecutions, "Executions could not be pruned")
      yield* Loop.hourly(eraseAccounts, "Removed accounts could not be erased")
      yield* Loop.hourly(pruneAudit, "Entries of the audit log could not be pruned")
      yield* Loop.hourly(pruneUploads, "Artifacts could not be pruned")
      if (Option.isSome(storage)) {
        yield* Loop.hourly(removeLeftOvers(storage.value), removalFailed)
        yield* Loop.daily(removeStrays(storage.value), "Files that belong to nothing could not be found")
      }
    })
  )

/** Removes endpoints that nobody fetches from, and ends what waits for removed ones, in the same way. */
export const layerEndpoints: Layer.Layer<never, never, EndpointStore> = Layer.effectDiscard(
  Effect.gen(function* () {
    const store = yield* EndpointStore
    const prune = Effect.flatMap(DateTime.now, (at) => store.prune({ at, limit }))
    yield* Loop.hourly(prune, "Endpoints could not be pruned")
  })
)

/** Prunes sessions of the Integrations page and their links in the same way. */
export const layerConsole: Layer.Layer<never, never, PeopleStore> = Layer.effectDiscard(
  Effect.gen(function* () {
    const store = yield* PeopleStore
    const prune = Effect.gen(function* () {
      const before = DateTime.subtractDuration(yield* DateTime.now, keptFor)
      const { hasMore } = yield* store.prune({ before, limit })
      return hasMore
    })
    yield* Loop.hourly(prune, "Sessions of the Integrations page could not be pruned")
  })
)
