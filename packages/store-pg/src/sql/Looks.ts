/** Lists by filters that no index answers: each page looks at a bounded number of rows. */
import type { Page, PageRequest } from "@runhook/core/shared/Page"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { pageOf } from "./Paging.ts"
import { integer } from "./Parameters.ts"
import { decodedFirst } from "./SqlErrors.ts"

/** Rows that one page looks at: a fraction of a second on a busy server. */
export const LooksMax = Context.Reference<number>("@runhook/store-pg/sql/LooksMax", {
  defaultValue: () => 100_000
})

/** Rows that an index has in the order of a list, from where the page begins. */
export interface Range {
  /** What follows `FROM`: a table with its short name, and its conditions. */
  readonly rows: Fragment
  readonly name: "d" | "l" | "x"
  /** The column that orders them. */
  readonly id: "d.id" | "l.id" | "x.delivery_id"
}

const LastRow = Schema.Struct({ id: Schema.String })

export const makeLooks = Effect.gen(function* () {
  const sql = yield* SqlClient
  const most = yield* LooksMax

  const newestFirst = ({ id, rows }: Range, columns: string) => sql`
    SELECT ${sql.literal(columns)} FROM ${rows} ORDER BY ${sql.literal(id)} DESC`

  /** Those that the page looks at, as an item of a `FROM`. */
  const lookedAt = (range: Range): Fragment =>
    sql`(${newestFirst(range, `${range.name}.*`)} LIMIT ${integer(most)}) AS ${sql.literal(range.name)}`

  /** The page of what was found among them: if it has room left, it goes on behind the last of them. */
  const pageOfLooked = Effect.fnUntraced(function* <Item>(
    found: ReadonlyArray<Item>,
    range: Range,
    page: PageRequest
  ) {
    const shown = pageOf(found, page)
    if (shown.hasMore) return shown
    const last = yield* decodedFirst(LastRow)(sql`
      ${newestFirst(range, `${range.id} AS id`)} OFFSET ${integer(most - 1)} LIMIT 1`)
    return last === undefined ? shown : ({ ...shown, hasMore: true, next: last.id } satisfies Page<Item>)
  })

  return { lookedAt, pageOfLooked }
})
