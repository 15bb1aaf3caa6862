/**
 * Prunes old executions, deliveries, artifacts, entries of the audit log, sessions and counts, and what
 * removed accounts have left: in every process, once an hour, also after a restart. What executions leave when they
 * end, every minute.
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
import { UsageStore } from "../ports/UsageStore.ts"
import * as Loop from "../runtime/Loop.ts"
import { RunnerTimings, UsageKept } from "../Settings.ts"

/** What one transaction may prune. */
const limit = 1_000

/** The same of executions, each of which has a dozen rows and more. */
const executionLimit = 100

/** How long hourly counts of usage are kept, unless daily ones are kept for less. */
export const hoursKept = Duration.days(32)

/** How long counts of receivers are kept: only a day is ever shown. */
const receiversKept = Duration.hours(26)

const removalFailed = "A file of a pruned artifact could not be removed"

type Prune = (at: DateTime.Utc) => Effect.Effect<{ readonly hasMore: boolean }>

/** A bite of what is old now, as a turn of a walk. */
const pruning = (prune: Prune) => Effect.map(Effect.flatMap(DateTime.now, prune), ({ hasMore }) => hasMore)

/** Prunes what is old now, bite by bite, every hour. */
const hourly = (prune: Prune, failure: string) => Loop.hourly(pruning(prune), failure)

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

      const rows = { retention, limit }
      const ofExecutions = { retention, limit: executionLimit }
      yield* Loop.everyMinute(
        pruning((at) => store.pruneRemnants({ at, limit })),
        "Remnants of executions could not be pruned"
      )
      yield* hourly((at) => store.pruneDeliveries({ ...rows, at }), "Deliveries could not be pruned")
      yield* hourly((at) => store.pruneExecutions({ ...ofExecutions, at }), "Executions could not be pruned")
      yield* hourly(
        (at) => store.eraseAccounts({ ...ofExecutions, at }),
        "Removed accounts could not be erased"
      )
      yield* hourly((at) => store.pruneAudit({ ...rows, at }), "Entries of the audit log could not be pruned")
      yield* hourly((at) => store.pruneUploads({ ...rows, at, finalizeMs }), "Artifacts could not be pruned")
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
      pruning((at) => Effect.map(store.prune({ at, limit }), (hasMore) => ({ hasMore }))),
      "Endpoints could not be pruned"
    )
  )
)

/** Prunes sessions of the Integrations page and their links in the same way. */
export const layerConsole: Layer.Layer<never, never, PeopleStore> = Layer.effectDiscard(
  Effect.flatMap(PeopleStore, (store) =>
    hourly(
      (at) => store.prune({ before: DateTime.subtractDuration(at, keptFor), limit }),
      "Sessions of the Integrations page could not be pruned"
    )
  )
)

/** Prunes counts of usage in the same way. */
export const layerUsage: Layer.Layer<never, never, UsageStore> = Layer.effectDiscard(
  Effect.gen(function* () {
    const store = yield* UsageStore
    const kept = yield* UsageKept
    const prune = (at: DateTime.Utc) =>
      store.prune({
        days: DateTime.subtractDuration(at, kept),
        hours: DateTime.subtractDuration(at, Duration.min(hoursKept, kept)),
        receivers: DateTime.subtractDuration(at, receiversKept),
        limit
      })
    yield* hourly(
      (at) => Effect.map(prune(at), (pruned) => ({ hasMore: pruned >= limit })),
      "Counts of usage could not be pruned"
    )
  })
)
