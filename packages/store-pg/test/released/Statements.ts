/** The statements by which a release made its rows, with their values, in a file beside this one. */
import { readFile, writeFile } from "node:fs/promises"
import * as PgTypes from "@effect/sql-pg/PgTypes"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import { CurrentTransformer } from "effect/sql/Statement"

/** A value that names its type, or one that the driver sends as it is. */
const Value = Schema.Union([
  Schema.Struct({ oid: Schema.Int, value: Schema.Unknown }),
  Schema.String,
  Schema.Number,
  Schema.Boolean,
  Schema.Null
])

/** A text that was sent before is named by its place among all texts. */
const Line = Schema.fromJsonString(
  Schema.Tuple([Schema.Union([Schema.String, Schema.Int]), Schema.Array(Value)])
)

export type Sent = readonly [text: string, values: ReadonlyArray<unknown>]

const fileOf = (release: string) => new URL(`${release}.statements.jsonl`, import.meta.url)

/** Adds what the stores send to `all`. */
export const layerRecording = (all: Array<Sent>) =>
  Layer.succeed(CurrentTransformer, (statement) =>
    Effect.sync(() => {
      all.push(statement.compile())
      return statement
    })
  )

const valueOf = (value: unknown) =>
  PgTypes.isParameter(value) ? { oid: value.oid, value: value.value } : value

export const write = (release: string, all: ReadonlyArray<Sent>) => {
  const texts = [...new Set(all.map(([text]) => text))]
  const known = new Set<string>()
  const lines = all.map(([text, values]) => {
    const named = known.has(text) ? texts.indexOf(text) : text
    known.add(text)
    return `${JSON.stringify([named, values.map(valueOf)])}\n`
  })
  return Effect.promise(() => writeFile(fileOf(release), lines.join("")))
}

/** Sends them once more, each for itself. A statement that the schema of today refuses is named. */
export const send = Effect.fnUntraced(function* (release: string) {
  const sql = yield* SqlClient
  const text = yield* Effect.promise(() => readFile(fileOf(release), "utf8"))
  const texts: Array<string> = []
  for (const line of text.trimEnd().split("\n")) {
    const [named, values] = yield* Schema.decodeUnknownEffect(Line)(line)
    const words = typeof named === "string" ? named : (texts[named] ?? "")
    if (typeof named === "string") texts.push(named)
    const parameters = values.map((each) =>
      typeof each === "object" && each !== null
        ? { [PgTypes.ParameterTypeId]: PgTypes.ParameterTypeId, ...each }
        : each
    )
    yield* Effect.catchTag(sql.unsafe(words, parameters), "SqlError", (cause) =>
      Effect.die(new Error(`It is refused now: ${words}`, { cause }))
    )
  }
})
