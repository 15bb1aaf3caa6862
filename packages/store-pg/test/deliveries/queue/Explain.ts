/** The statements of a verb as they are sent, and what PostgreSQL does to run each. */
import { decodedFirst } from "@runhook/store-pg/sql/SqlErrors"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import { CurrentTransformer } from "effect/sql/Statement"

/** A statement with the values it was sent with. */
export interface Sent {
  readonly text: string
  readonly parameters: ReadonlyArray<unknown>
}

/** Planned anew for its values, or once for any: the driver prepares statements, so PostgreSQL may do either. */
export type PlanMode = "force_custom_plan" | "force_generic_plan"

/** What one statement touched. */
export interface Touched {
  readonly text: string
  /** Blocks asked for, of tables and indexes, in memory or not. */
  readonly blocks: number
  /** The most rows that any step of the plan took up. */
  readonly rows: number
  /** Tables read from one end to the other. */
  readonly scanned: ReadonlyArray<string>
}

class RolledBack extends Schema.TaggedError<RolledBack>()("RolledBack", {}) {}

/** Runs what is given in a transaction that leaves nothing behind. */
export const rolledBack = Effect.fnUntraced(function* <A, E, R>(doing: Effect.Effect<A, E, R>) {
  const sql = yield* SqlClient
  let done: { readonly value: A } | undefined
  const transaction = Effect.flatMap(doing, (value) => {
    done = { value }
    return Effect.fail(new RolledBack())
  })
  yield* Effect.catchTag(sql.withTransaction(transaction), "RolledBack", () => Effect.void)
  return done === undefined ? yield* Effect.die(new Error("Nothing was done")) : done.value
})

/** The statements that a verb sends, each text once. Nothing of what it does stays. */
export const sentBy = Effect.fnUntraced(function* <A, E, R>(verb: Effect.Effect<A, E, R>) {
  const sent = new Map<string, Sent>()
  yield* rolledBack(
    Effect.provideService(verb, CurrentTransformer, (statement) =>
      Effect.sync(() => {
        const [text, parameters] = statement.compile()
        if (!isOfTransaction(text) && !sent.has(text)) sent.set(text, { text, parameters })
        return statement
      })
    )
  )
  return [...sent.values()]
})

const isOfTransaction = (text: string): boolean => /^(SAVEPOINT|RELEASE|ROLLBACK)/.test(text)

/** What a statement touches when it is planned in the given way. Nothing of what it does stays. */
export const touchedBy = ({ parameters, text }: Sent, mode: PlanMode) =>
  rolledBack(
    Effect.gen(function* () {
      const sql = yield* SqlClient
      yield* sql`SET LOCAL plan_cache_mode = ${sql.literal(mode)}`
      const types = parameters.map((value) => (typeof value === "number" ? "integer" : "unknown"))
      const declared = types.length === 0 ? "" : `(${types.join(", ")})`
      yield* sql.unsafe(`PREPARE explained ${declared} AS ${text}`).unprepared
      const values = yield* literals({ parameters, text })
      const before = yield* blocksSoFar
      const explained = yield* decodedFirst(Explained)(
        sql.unsafe(`EXPLAIN (ANALYZE, FORMAT JSON) EXECUTE explained ${values}`).unprepared
      )
      const blocks = (yield* blocksSoFar) - before
      yield* sql`DEALLOCATE explained`
      const [root] = explained?.["QUERY PLAN"] ?? []
      if (root === undefined) return yield* Effect.die(new Error(`Nothing was told about: ${text}`))
      const nodes = nodesOf(root.Plan)
      const touched: Touched = {
        text,
        blocks,
        rows: Math.max(...nodes.map(rowsOf)),
        scanned: nodes.filter((node) => node["Node Type"] === "Seq Scan").flatMap(relationOf)
      }
      return touched
    })
  )

/** The values as SQL: what is prepared by hand takes no parameters of the driver. Each is cast where it stands. */
const literals = Effect.fnUntraced(function* ({ parameters, text }: Sent) {
  if (parameters.length === 0) return ""
  const sql = yield* SqlClient
  const quoted = parameters.map((_, place) => {
    const [, type] = new RegExp(`\\$${place + 1}::(\\w+(?:\\(\\d\\))?(?:\\[\\])?)`).exec(text) ?? []
    return `quote_nullable($${place + 1}::${type})`
  })
  const row = yield* decodedFirst(Schema.Struct({ values: Schema.String }))(
    sql.unsafe(`SELECT concat_ws(', ', ${quoted.join(", ")}) AS values`, parameters)
  )
  return `(${row?.values})`
})

/** Blocks that this transaction has asked for until now. */
const blocksSoFar = Effect.gen(function* () {
  const sql = yield* SqlClient
  const row = yield* decodedFirst(Schema.Struct({ blocks: Schema.Int }))(sql`
    SELECT sum(pg_stat_get_xact_blocks_fetched(c.oid))::integer AS blocks
    FROM pg_class c
    WHERE c.relnamespace <> 'pg_catalog'::regnamespace AND c.relkind IN ('r', 'i', 't')`)
  return row?.blocks ?? 0
})

interface Node {
  readonly "Node Type": string
  readonly "Relation Name"?: string
  readonly "Actual Rows": number
  readonly "Actual Loops": number
  readonly "Rows Removed by Filter"?: number
  readonly "Rows Removed by Join Filter"?: number
  readonly Plans?: ReadonlyArray<Node>
}

const Node = Schema.Struct({
  "Node Type": Schema.String,
  "Relation Name": Schema.optionalKey(Schema.String),
  "Actual Rows": Schema.Number,
  "Actual Loops": Schema.Number,
  "Rows Removed by Filter": Schema.optionalKey(Schema.Number),
  "Rows Removed by Join Filter": Schema.optionalKey(Schema.Number),
  Plans: Schema.optionalKey(Schema.Array(Schema.suspend((): Schema.Codec<Node> => Node)))
})

const Explained = Schema.Struct({
  "QUERY PLAN": Schema.Array(Schema.Struct({ Plan: Node }))
})

const nodesOf = (node: Node): ReadonlyArray<Node> => [node, ...(node.Plans ?? []).flatMap(nodesOf)]

/** What a step gave on and what it took up in vain, in all its rounds. */
const rowsOf = (node: Node): number =>
  (node["Actual Rows"] + (node["Rows Removed by Filter"] ?? 0) + (node["Rows Removed by Join Filter"] ?? 0)) *
  node["Actual Loops"]

const relationOf = (node: Node): ReadonlyArray<string> => {
  const name = node["Relation Name"]
  return name === undefined ? [] : [name]
}
