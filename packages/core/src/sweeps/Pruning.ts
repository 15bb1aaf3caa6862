/**
 * Prunes old executions, deliveries, artifacts, entries of the audit log, sessions and counts, and what
 * removed accounts have left: in every process, once an hour, also after a restart. What executions leave when they
 * end, every minute.
 */
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Record from "effect/Record"
import { nameInKey, storageKeyOf, strayAfter } from "../artifacts/Artifact.ts"
import { lowestIdAt } from "../shared/Ids.ts"
import type { Retention } from "./Retention.ts"
import { ArtifactStorage, type StoredKeys } from "../artifacts/ArtifactStorage.ts"
import { EndpointStore } from "../endpoints/EndpointStore.ts"
import { type Prunable, SweepStore } from "./SweepStore.ts"
import * as Loop from "../engine/Loop.ts"
import { RunnerTimings, UsageKept } from "../Settings.ts"

/** What one transaction may prune. */
const limit = 1_000

/** The same of executions, each of which has a dozen rows and more. */
const executionLimit = 100

/** What is pruned every hour, and what is logged when that fails. */
const hourly: { readonly [Of in Exclude<Prunable, "expired" | "remnants">]: string } = {
  deliveries: "Deliveries could not be pruned",
  receivers: "Receivers could not be pruned",
  executions: "Executions could not be pruned",
  accounts: "Removed accounts could not be erased",
  audit: "Entries of the audit log could not be pruned",
  uploads: "Artifacts could not be pruned",
  people: "Sessions of the Integrations page could not be pruned",
  counts: "Counts of usage could not be pruned"
}

const limitOf = (of: Prunable): number => (of === "executions" || of === "accounts" ? executionLimit : limit)

const removalFailed = "A file of a pruned artifact could not be removed"

/**
 * Prunes until the scope ends. Processes that have an `ArtifactStorage` also remove
 * the files of pruned artifacts; a process that only delivers has none.
 */
export const layerLoop = (keeping: Retention): Layer.Layer<never, never, SweepStore> =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const store = yield* SweepStore
      const storage = yield* Effect.serviceOption(ArtifactStorage)
      const { finalize } = yield* RunnerTimings
      const retention = { ...keeping, finalize, counts: yield* UsageKept }

      /** A bite of what is old now, as a turn of a walk. */
      const pruning = (of: Prunable) =>
        Effect.flatMap(DateTime.now, (at) => store.prune(of, { at, limit: limitOf(of), retention })).pipe(
          Effect.map(({ hasMore }) => hasMore)
        )

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

      yield* Loop.everyMinute(pruning("remnants"), "Remnants of executions could not be pruned")
      for (const [of, failure] of Record.toEntries(hourly)) yield* Loop.hourly(pruning(of), failure)
      if (Option.isSome(storage)) {
        yield* Loop.hourly(removeLeftOvers(storage.value), removalFailed)
        yield* Loop.daily(removeStrays(storage.value), "Files that belong to nothing could not be found")
      }
    })
  )

/** Removes endpoints that nobody fetches from, and ends what waits for removed ones and in removed accounts. */
export const layerEndpoints: Layer.Layer<never, never, EndpointStore> = Layer.effectDiscard(
  Effect.flatMap(EndpointStore, (store) =>
    Loop.everyFewSeconds(
      Effect.flatMap(DateTime.now, (at) => store.prune({ at, limit })),
      "Endpoints could not be pruned"
    )
  )
)
