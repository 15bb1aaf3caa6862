/** The table of what a lifecycle may write, beside this file, and what breaks it. */
import { readFile, writeFile } from "node:fs/promises"
import * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as Record from "effect/Record"
import * as Schema from "effect/Schema"
import type { BytesByRelation } from "./Wal.ts"

const file = new URL("bytes.json", import.meta.url)

/** Set, and the table is written anew instead of compared. */
const isRenewed = Config.Boolean("RUNHOOK_WAL_RENEW").pipe(Config.withDefault(false))

const Table = Schema.fromJsonString(Schema.Record(Schema.String, Schema.Int))

/** Pages that are split or pruned now and then make this much of a difference to what writes little. */
const slack = 20

const read = Effect.promise(async () => Schema.decodeUnknownSync(Table)(await readFile(file, "utf8")))

const renew = (bytes: BytesByRelation) =>
  Effect.promise(() => writeFile(file, `${JSON.stringify(bytes, null, 2)}\n`))

/** In all, it is the same from run to run but for this. */
const growthMax = 1.03

const sumOf = (bytes: BytesByRelation): number =>
  Object.values(bytes).reduce((sum, ofRelation) => sum + ofRelation, 0)

/** What has grown since the table was written: a part by more than a fifth, or the whole. Renewed, the table is what is measured. */
export const grownSince = Effect.fnUntraced(function* (bytes: BytesByRelation) {
  if (yield* isRenewed) yield* renew(bytes)
  const table = yield* read
  const parts = Record.filter(bytes, (now, relation) => {
    const before = table[relation] ?? 0
    return now > before * 1.2 && now > before + slack
  })
  const [all, before] = [sumOf(bytes), sumOf(table)]
  return [
    ...Object.entries(parts).map(([relation, now]) => `${relation}: ${now}, was ${table[relation] ?? 0}`),
    ...(all > before * growthMax ? [`all: ${all}, was ${before}`] : [])
  ]
})
