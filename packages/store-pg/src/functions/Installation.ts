/**
 * Installs functions in the database, beside a service that works, in one process at a time: those whose text is not
 * there yet. A comment on each says what was installed.
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { migrationPatience, patient } from "../connections/Deadline.ts"
import { citus } from "../database/Distribution.ts"
import { sqlStateOf } from "../database/Outages.ts"
import { alone } from "../migrations/Migrator.ts"
import { text, texts } from "../sql/Parameters.ts"
import { decoded, decodedFirst } from "../sql/SqlErrors.ts"
import type { FunctionText } from "./Functions.ts"

/** The role may not install functions that are missing or older. Nothing was changed. */
export class FunctionsMissing extends Schema.TaggedError<FunctionsMissing>()("FunctionsMissing", {
  names: Schema.Array(Schema.String)
}) {
  override get message() {
    return (
      `it has no function ${this.names.join(", ")} of this release, and this role may not install it: ` +
      "run `runhook migrate` as the role that owns its tables, and start again"
    )
  }
}

const MarkRow = Schema.Struct({
  name: Schema.String,
  mark: Schema.String,
  found: Schema.NullOr(Schema.String)
})

/** Those that are not there yet, with what the comment on each is to say: where Citus came later, it is installed anew. */
const missing = Effect.fnUntraced(function* (functions: ReadonlyArray<FunctionText>, isCitus: boolean) {
  const sql = yield* SqlClient
  const rows = yield* decoded(MarkRow)(sql`
    SELECT name, encode(sha256(convert_to(words, 'UTF8')), 'hex') || ${text(isCitus ? " distributed" : "")} AS mark,
      obj_description(to_regproc(name), 'pg_proc') AS found
    FROM unnest(${texts(functions.map(({ name }) => name))}, ${texts(functions.map((each) => each.text))})
      AS functions (name, words)`)
  const marks = new Map(rows.map(({ found, mark, name }) => [name, found === mark ? undefined : mark]))
  return functions.flatMap((each) => {
    const mark = marks.get(each.name)
    return mark === undefined ? [] : [{ ...each, mark }]
  })
})

const SchemaRow = Schema.Struct({ schema: Schema.String })

/**
 * Citus 13 leaks memory with every execution of a generic plan, and its nodes look for tables in their own schemas,
 * not in those of a session. Forced, a call in a transaction of the caller goes to the node as well.
 */
const distributing = ({ name }: FunctionText, schema: string): ReadonlyArray<string> => [
  `ALTER FUNCTION ${name} SET plan_cache_mode = force_custom_plan`,
  ...(schema === "public" ? [] : [`ALTER FUNCTION ${name} SET search_path = "${schema}"`]),
  `SELECT create_distributed_function(
    to_regproc('${name}')::regprocedure, 'p_bucket', colocate_with := 'executions', force_delegation := true
  )`
]

/** Answers the names of those that were installed. */
export const install = Effect.fnUntraced(
  function* (functions: ReadonlyArray<FunctionText>) {
    const sql = yield* SqlClient
    const isCitus = (yield* citus) !== undefined
    const first = yield* missing(functions, isCitus)
    if (first.length === 0) return []
    yield* alone
    const installing = yield* missing(functions, isCitus)
    const current = yield* decodedFirst(SchemaRow)(sql`SELECT current_schema() AS schema`)
    const schema = current?.schema ?? "public"
    const installAll = Effect.forEach(
      installing.flatMap((each) => [
        each.text,
        ...(isCitus ? distributing(each, schema) : []),
        `COMMENT ON FUNCTION ${each.name} IS '${each.mark}'`
      ]),
      (words) => sql.unsafe(words),
      { discard: true }
    )
    const names = installing.map(({ name }) => name)
    yield* Effect.catchIf(sql.withTransaction(installAll), isForbidden, () =>
      Effect.fail(new FunctionsMissing({ names }))
    )
    return names
  },
  Effect.scoped,
  Effect.catchTag("SchemaError", Effect.die),
  patient(migrationPatience)
)

/** Whether the role lacks a privilege. */
const isForbidden = (error: SqlError): boolean => sqlStateOf(error) === "42501"
