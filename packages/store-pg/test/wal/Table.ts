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

/** What has grown by more than a fifth since the table was written. Renewed, the table is what is measured. */
export const grownSince = Effect.fnUntraced(function* (bytes: BytesByRelation) {
  if (yield* isRenewed) yield* renew(bytes)
  const table = yield* read
  const grown = Record.filter(bytes, (now, relation) => {
    const before = table[relation] ?? 0
    return now > before * 1.2 && now > before + slack
  })
  return Object.entries(grown).map(([relation, now]) => `${relation}: ${now}, was ${table[relation] ?? 0}`)
})
