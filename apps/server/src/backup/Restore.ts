/** Brings a backup into an empty database, and its files to where the service keeps them. */
import { promisify } from "node:util"
import { gunzip as gunzipWithCallback } from "node:zlib"
import * as BackupSession from "@runhook/store-pg/backup/BackupSession"
import * as Restoring from "@runhook/store-pg/backup/Restoring"
import * as Snapshot from "@runhook/store-pg/backup/Snapshot"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { type Given, given } from "../config.ts"
import { CommandFailed } from "../logging/Reporting.ts"
import { show } from "../output/Output.ts"
import { drawing, type Progress } from "../output/Progress.ts"
import { type BackupDatabase, toldBy, unused } from "./BackupDatabase.ts"
import { keysWith, secretKeys } from "./BackupKeys.ts"
import { type BackupPlace, placeOf } from "./BackupPlace.ts"
import * as Manifest from "./Manifest.ts"
import { copyAll, ownFiles, type StoredFiles } from "./StoredFiles.ts"

const gunzip = promisify(gunzipWithCallback)

/** Parts that are read ahead of the database. */
const partsAhead = 2

type Draw = (progress: Progress) => Effect.Effect<void>

/** The lines of a part, if it is what it was. */
const linesOf = Effect.fnUntraced(function* (place: BackupPlace, { path, sha256 }: Manifest.Part) {
  const bytes = yield* place.get(path)
  if (Manifest.digestOf(bytes) !== sha256) return yield* Manifest.changed(place, path)
  return (yield* Effect.promise(() => gunzip(bytes))).toString().trimEnd().split("\n")
})

const copyFiles = (session: BackupSession.BackupSession, options: Filling) => {
  const missing = new Set(options.manifest.artifacts.missing)
  const files = Stream.filter(Snapshot.filesOf(session), ({ key }) => !missing.has(key))
  const from = options.place.artifacts
  let done = 0
  return Stream.runForEach(copyAll(files, { from, to: options.files }), ({ file, outcome }) => {
    if (outcome === "missing" || outcome === "changed") {
      const what = outcome === "missing" ? "is missing" : "was changed: its bytes are not those of the backup"
      return new CommandFailed({ reason: `${from.pathOf(file)} ${what}` })
    }
    done += 1
    return options.draw({ done, total: options.manifest.artifacts.files, what: "files" })
  })
}

export interface Filling {
  readonly place: BackupPlace
  readonly manifest: Manifest.Manifest
  /** Where the files go. */
  readonly files: StoredFiles
  readonly draw: Draw
}

/** Fills the database: with everything, or with nothing that a service would start on. */
export const fill = (database: BackupDatabase, options: Filling) =>
  Effect.gen(function* () {
    const { draw, manifest, place } = options
    const { made_at, release, schema, tables } = manifest
    const note = `This service was restored from its backup of ${made_at}, made by release ${release}`
    const origin = { schema, tables, note }
    const session = yield* BackupSession.open(database.options)
    yield* Snapshot.refuseSeveralNodes(session)
    yield* Restoring.prepare(database.options, origin)
    yield* Restoring.begin(session, origin)
    const total = tables.reduce((sum, { rows }) => sum + rows, 0)
    let done = 0
    for (const table of tables) {
      const before = done
      const parts = Stream.mapEffect(Stream.fromIterable(table.parts), (part) => linesOf(place, part), {
        concurrency: partsAhead
      })
      yield* Stream.runForEach(
        parts,
        Effect.fnUntraced(function* (lines) {
          done += yield* Restoring.insert(session, table, lines)
          yield* draw({ done, total, what: "rows" })
        })
      )
      if (done - before !== table.rows) {
        return yield* new CommandFailed({ reason: `${place.name} has not all rows of ${table.name}` })
      }
    }
    yield* copyFiles(session, options)
    yield* Restoring.commit(session, origin)
    yield* Restoring.complete(database.options)
    return { rows: total, files: manifest.artifacts.files }
  }).pipe(toldBy(database))

/** The manifest of a backup that this service can open, and that nobody without its secret key has changed. */
const authentic = Effect.fnUntraced(function* (place: BackupPlace, { name, settings }: Chosen) {
  const keys = yield* secretKeys(settings)
  const { makerId, manifest } = yield* Manifest.read(place, { keys, name })
  yield* keysWith([...new Set([...manifest.secret_key_ids, makerId])], {
    keys,
    dataDir: settings.dataDir
  })
  return manifest
})

interface Chosen {
  readonly name: string | undefined
  readonly settings: Given
}

export interface Source {
  readonly from: string
  /** The name of a backup; the newest by default. */
  readonly name: string | undefined
}

export const restore = ({ from, name }: Source) =>
  Effect.gen(function* () {
    const settings = yield* given
    const place = yield* placeOf(from, settings)
    const manifest = yield* authentic(place, { name, settings })
    const files = yield* ownFiles(settings)
    const database = yield* unused(settings)
    const restored = yield* drawing((draw) => fill(database, { place, manifest, files, draw }))
    yield* show({ restored: Manifest.nameOf(manifest.made_at), place: place.name, ...restored })
  }).pipe(Effect.scoped)
