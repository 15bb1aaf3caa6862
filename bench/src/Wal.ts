/** How much the database server has written to its log. */
import * as Schema from "effect/Schema"
import type { Database } from "./Postgres.ts"

const Written = Schema.Struct({ bytes: Schema.NumberFromString })

/** Bytes so far, by whomever. */
export const walBytes = async ({ run }: Database): Promise<number> => {
  const [row] = await run("SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0') AS bytes")
  return Schema.decodeUnknownSync(Written)(row).bytes
}
