/** Copies everything that the service keeps, as of one moment, while the service goes on. */
import { promisify } from "node:util"
import { gzip as gzipWithCallback } from "node:zlib"
import * as BackupSession from "@runhook/store-pg/backup/BackupSession"
import * as Snapshot from "@runhook/store-pg/backup/Snapshot"
import { checked } from "@runhook/store-pg/PgDatabase"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { given } from "../config.ts"
import { CommandFailed } from "../logging/Reporting.ts"
import { show } from "../output/Output.ts"
import { drawing, type Progress } from "../output/Progress.ts"
import { version } from "../Version.ts"
import { existing, toldBy } from "./BackupDatabase.ts"
import { keysWith, secretKeys } from "./BackupKeys.ts"
import { type BackupPlace, placeOf } from "./BackupPlace.ts"
import * as Manifest from "./Manifest.ts"
import { copyAll, ownFiles, type StoredFiles } from "./StoredFiles.ts"
import { printError } from "../output/Writer.ts"

const gzip = promisify(gzipWithCallback)

/** Characters of rows in one part: what is held in memory, with its compressed form. */
const partLength = 4 * 1024 * 1024

type Draw = (progress: Progress) => Effect.Effect<void>

/** Writes the rows of a table in parts. */
const writeTable = Effect.fnUntraced(function* (
  session: BackupSession.BackupSession,
  table: Snapshot.Table,
  { draw, folder, place }: { readonly draw: Draw; readonly folder: string; readonly place: BackupPlace }
) {
  const parts: Array<Manifest.Part> = []
  let [lines, length, rows]: [Array<string>, number, number] = [[], 0, 0]
  const writePart = Effect.gen(function* () {
    if (lines.length === 0) return
    const text = `${lines.join("\n")}\n`
    lines = []
    length = 0
    // The level that takes least of the processor, which the service needs.
    const bytes = yield* Effect.promise(() => gzip(text, { level: 1 }))
    const path = `${folder}/${table.name}.${parts.length + 1}.gz`
    yield* place.put(path, bytes)
    parts.push({ path, bytes: bytes.length, sha256: Manifest.digestOf(bytes) })
    yield* draw({ done: rows, total: null, what: `rows of ${table.name}` })
  })
  yield* Stream.runForEachArray(Snapshot.linesOf(session, table), (some) => {
    for (const line of some) length += line.length
    lines.push(...some)
    rows += some.length
    return length < partLength ? Effect.void : writePart
  })
  yield* writePart
  return { ...table, rows, parts }
})

const copyFiles = Effect.fnUntraced(function* (
  session: BackupSession.BackupSession,
  { draw, from, place }: { readonly draw: Draw; readonly from: StoredFiles; readonly place: BackupPlace }
) {
  const counts = { files: 0, bytes: 0, copied: 0 }
  const missing: Array<string> = []
  yield* Stream.runForEach(
    copyAll(Snapshot.filesOf(session), { from, to: place.artifacts }),
    Effect.fnUntraced(function* ({ file, outcome }) {
      if (outcome === "missing" || outcome === "changed") return void missing.push(file.key)
      counts.files += 1
      counts.bytes += file.sizeBytes
      if (outcome === "copied") counts.copied += 1
      yield* draw({ done: counts.files, total: null, what: "files" })
    })
  )
  return { ...counts, missing }
})

/** Makes a backup, and answers what it has. */
const write = Effect.fnUntraced(function* (to: string, draw: Draw) {
  const settings = yield* given
  const place = yield* placeOf(to, settings)
  const from = yield* ownFiles(settings)
  // A file would be its own copy, and go with the original.
  if (from.place === place.artifacts.place)
    return yield* new CommandFailed({
      reason: `${from.place} is where the service itself keeps its files: name another place for backups`
    })
  const keys = yield* secretKeys(settings)
  const database = yield* existing(settings)
  const copying = { draw, from, place }
  return yield* Effect.gen(function* () {
    yield* checked(database.options)
    const session = yield* BackupSession.open(database.options)
    yield* Snapshot.refuseSeveralNodes(session)
    // Most files come before the snapshot, which keeps VACUUM from removing what is younger.
    const before = yield* copyFiles(session, copying)
    yield* Snapshot.begin(session)
    const { madeAt, schema, secretKeyIds } = yield* Snapshot.facts(session)
    const signing = yield* keysWith(secretKeyIds, { keys, dataDir: settings.dataDir })
    const folder = `rows/${Manifest.nameOf(madeAt)}`
    const tables = yield* Effect.forEach(yield* Snapshot.tables(session), (table) =>
      writeTable(session, table, { draw, folder, place })
    )
    const { copied, ...artifacts } = yield* copyFiles(session, copying)
    const manifest: Manifest.Manifest = {
      format: 1,
      made_at: madeAt,
      release: version,
      schema,
      secret_key_ids: secretKeyIds,
      tables,
      artifacts
    }
    yield* Manifest.write(place, manifest, signing)
    return { manifest, copied: before.copied + copied, place }
  }).pipe(toldBy(database))
})

export const backup = ({ to }: { readonly to: string }) =>
  Effect.gen(function* () {
    const { copied, manifest, place } = yield* drawing((draw) => write(to, draw))
    const { artifacts, made_at, tables } = manifest
    const parts = tables.flatMap((table) => table.parts)
    yield* show({
      backup: Manifest.nameOf(made_at),
      place: place.name,
      made_at,
      rows: tables.reduce((sum, { rows }) => sum + rows, 0),
      row_bytes: parts.reduce((sum, { bytes }) => sum + bytes, 0),
      files: artifacts.files,
      file_bytes: artifacts.bytes,
      files_copied: copied,
      files_missing: artifacts.missing.length
    })
    if (artifacts.missing.length > 0) {
      yield* printError(
        `${artifacts.missing.length} files were removed meanwhile, or had been lost or changed before: the manifest names them`
      )
    }
  }).pipe(Effect.scoped)
