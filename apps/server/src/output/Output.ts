/** How commands answer: with the API's JSON, or with tables for people. */
import * as Clock from "effect/Clock"
import * as Flag from "effect/cli/Flag"
import * as GlobalFlag from "effect/cli/GlobalFlag"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { factsIn, tableOf } from "./Table.ts"
import { print } from "./Writer.ts"

/** Of every command that has an answer. A program reads what goes to no terminal, so scripts that call the API need no flag. */
export const Json = GlobalFlag.Setting("json")({
  flag: Flag.Boolean("json").pipe(
    Flag.withDescription(
      "Print JSON; the default for answers of the API where the output is no terminal (--no-json: text for people)"
    ),
    Flag.optional
  )
})

/** Whether people read the output. */
export const isForPeople = Effect.map(
  Json,
  Option.match({ onNone: () => process.stdout.isTTY, onSome: (isJson) => !isJson })
)

/** Paths of the fields that a table shows, such as `current_version.number`. */
export type Columns = ReadonlyArray<string>

/** Whether people read what a command has found without asking the API, which is text unless JSON is asked for. */
export const isTextReport = Effect.map(Json, (isJson) => !Option.getOrElse(isJson, () => false))

/** Prints what such a command has found. */
export const report = Effect.fnUntraced(function* ({ json, lines }: Report) {
  if (!(yield* isTextReport)) return yield* print(JSON.stringify(json, null, 2))
  for (const line of lines) yield* print(line)
})

interface Report {
  readonly lines: ReadonlyArray<string>
  /** The same for programs. */
  readonly json: object
}

/** The text of an answer; nothing if it is empty. */
export const textOf = Effect.fnUntraced(function* (answer: unknown, columns: Columns) {
  if (answer === undefined) return ""
  if (!(yield* isForPeople)) return JSON.stringify(answer, null, 2)
  const shown = { now: yield* Clock.currentTimeMillis, width: process.stdout.columns ?? Infinity }
  return isPage(answer) ? pageText(answer, columns, shown) : factsIn(answer, shown)
})

export const show = Effect.fnUntraced(function* (answer: unknown, columns: Columns = []) {
  const text = yield* textOf(answer, columns)
  if (text !== "") yield* print(text)
})

interface Page {
  readonly data: ReadonlyArray<unknown>
  readonly next_cursor?: unknown
}

const isPage = (answer: unknown): answer is Page =>
  typeof answer === "object" && answer !== null && "data" in answer && Array.isArray(answer.data)

const pageText = (
  { data, next_cursor }: Page,
  columns: Columns,
  shown: { readonly now: number; readonly width: number }
): string => {
  const hasMore = typeof next_cursor === "string"
  if (data.length === 0) return hasMore ? "None among the newest: a filter looks at so many at once" : "None"
  const more = hasMore ? "\nThere are more: --limit shows up to 200" : ""
  return tableOf(data, columns, shown) + more
}
