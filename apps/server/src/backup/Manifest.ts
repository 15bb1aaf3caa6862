/** What a backup consists of. It is written last: without it, there is no backup. */
import { createHash, createHmac } from "node:crypto"
import { isEqualInConstantTime } from "@runhook/core/signing/ConstantTime"
import type { Keys, KeyRing } from "@runhook/core/signing/KeyRing"
import { Table } from "@runhook/store-pg/backup/Snapshot"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { CommandFailed } from "../logging/Reporting.ts"
import type { BackupPlace } from "./BackupPlace.ts"

/** A part of the rows of a table: a row on each line, compressed. */
export const Part = Schema.Struct({ path: Schema.String, bytes: Schema.Int, sha256: Schema.String })
export type Part = typeof Part.Type

export const Manifest = Schema.Struct({
  format: Schema.Literal(1),
  /** When all of it was so, by the database's clock. */
  made_at: Schema.String,
  /** The release that made it. */
  release: Schema.String,
  /** The newest migration of its tables. */
  schema: Schema.Int,
  /** Name the secret keys that open what is sealed in it. */
  secret_key_ids: Schema.Array(Schema.String),
  tables: Schema.Array(Schema.Struct({ ...Table.fields, rows: Schema.Int, parts: Schema.Array(Part) })),
  artifacts: Schema.Struct({
    files: Schema.Int,
    bytes: Schema.Int,
    /** Keys of files that were removed while the backup was made, or that the service had lost before. */
    missing: Schema.Array(Schema.String)
  })
})
export type Manifest = typeof Manifest.Type

/** With a digest of itself, as of every other file, and a MAC, which only who has the secret key can make. */
const Signed = Schema.fromJsonString(
  Schema.Struct({
    sha256: Schema.String,
    mac: Schema.Struct({ secret_key_id: Schema.String, hmac_sha256: Schema.String }),
    backup: Schema.Json
  })
)

const folder = "manifests"

const pathOf = (name: string): string => `${folder}/${name}.json`

export const digestOf = (bytes: string | Uint8Array): string =>
  createHash("sha256").update(bytes).digest("hex")

/** The name of a backup: its time, in characters that every file system takes. */
export const nameOf = (madeAt: string): string => madeAt.replaceAll(":", "-")

const macOf = ({ backup }: Keys, text: string): string =>
  createHmac("sha256", backup).update(text).digest("hex")

export const write = (place: BackupPlace, manifest: Manifest, [newest]: KeyRing) => {
  const text = JSON.stringify(manifest)
  const mac = { secret_key_id: newest.id, hmac_sha256: macOf(newest, text) }
  const signed = { sha256: digestOf(text), mac, backup: manifest }
  return place.put(pathOf(nameOf(manifest.made_at)), Buffer.from(`${JSON.stringify(signed, null, 1)}\n`))
}

/**
 * The newest backup of a place, or the one of that name. It is authentic if one of the keys made it, so nobody else
 * has changed it since; without the key that made it, that is not known.
 */
export const read = Effect.fnUntraced(function* (
  place: BackupPlace,
  { keys, name }: { readonly keys: ReadonlyArray<Keys>; readonly name: string | undefined }
) {
  const names = (yield* place.list(folder)).flatMap((file) => /^(.+)\.json$/.exec(file)?.[1] ?? []).toSorted()
  const chosen = name ?? names.at(-1)
  if (chosen === undefined || !names.includes(chosen)) {
    const those = names.length === 0 ? "none" : names.join(", ")
    return yield* new CommandFailed({
      reason: `${place.name} has no complete backup${name === undefined ? "" : ` ${name}`}. Complete are: ${those}`
    })
  }
  const path = pathOf(chosen)
  const text = Buffer.from(yield* place.get(path)).toString()
  const { backup, mac, sha256 } = yield* Effect.mapError(Schema.decodeEffect(Signed)(text), () =>
    changed(place, path)
  )
  const signedText = JSON.stringify(backup)
  const maker = keys.find(({ id }) => id === mac.secret_key_id)
  const isAuthentic = maker !== undefined && isEqualInConstantTime(macOf(maker, signedText), mac.hmac_sha256)
  const manifest = yield* Effect.mapError(Schema.decodeUnknownEffect(Manifest)(backup), () =>
    changed(place, path)
  )
  const isWhole = digestOf(signedText) === sha256 && nameOf(manifest.made_at) === chosen
  if (!isWhole || (maker !== undefined && !isAuthentic)) return yield* changed(place, path)
  return { manifest, isAuthentic, makerId: mac.secret_key_id }
})

/** A file is not what it was. */
export const changed = (place: BackupPlace, path: string) =>
  new CommandFailed({ reason: `${place.name}/${path} was changed: its bytes are not those of the backup` })
