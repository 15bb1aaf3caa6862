/** Restores a backup into a database that is removed afterwards, and walks every history in it. */
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as BackupSession from "@runhook/store-pg/backup/BackupSession"
import { walk } from "@runhook/store-pg/backup/HistoryRules"
import * as Effect from "effect/Effect"
import * as References from "effect/References"
import { given } from "../config.ts"
import { CommandFailed } from "../logging/Reporting.ts"
import { show } from "../output/Output.ts"
import { drawing } from "../output/Progress.ts"
import { toldBy, unused } from "./BackupDatabase.ts"
import { secretKeys } from "./BackupKeys.ts"
import { placeOf } from "./BackupPlace.ts"
import * as Manifest from "./Manifest.ts"
import { fill, type Source } from "./Restore.ts"
import { nowhere } from "./StoredFiles.ts"
import { printError } from "../output/Writer.ts"

const scratch = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "runhook-backup-"))),
  (folder) => Effect.promise(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
)

export const verifyBackup = ({ from, name }: Source) =>
  Effect.gen(function* () {
    const settings = yield* given
    const place = yield* placeOf(from, settings)
    const { isAuthentic, manifest } = yield* Manifest.read(place, { keys: yield* secretKeys(settings), name })
    const database = yield* unused({
      ...settings,
      store: "postgres",
      databaseUrl: undefined,
      dataDir: yield* scratch
    })
    const restored = yield* drawing((draw) => fill(database, { place, manifest, files: nowhere, draw }))
    const { broken, executions } = yield* BackupSession.open(database.options).pipe(
      Effect.flatMap(walk),
      toldBy(database)
    )
    yield* show({
      verified: Manifest.nameOf(manifest.made_at),
      place: place.name,
      authentic: isAuthentic,
      ...restored,
      executions,
      broken
    })
    if (!isAuthentic) {
      yield* printError(
        "Only digests were checked: without the secret key that made the backup, nobody can tell whether someone else has changed it"
      )
    }
    if (broken.length > 0) {
      return yield* new CommandFailed({
        reason: "The backup is what was backed up, but histories in it are broken"
      })
    }
  }).pipe(
    Effect.scoped,
    // What its database says of itself is no news of any service.
    Effect.provideService(References.MinimumLogLevel, "Warn")
  )
