/** Checks that the server is no worker of Citus: it would answer, but neither hear notices nor have every table. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import { decodedFirst } from "../sql/SqlErrors.ts"
import { citus } from "./Distribution.ts"

/** A worker of Citus answers there. Nothing was changed. */
export class NotCoordinator extends Schema.TaggedError<NotCoordinator>()("NotCoordinator", {
  /** Where the coordinator is, if the worker knows. */
  coordinator: Schema.NullOr(Schema.String)
}) {
  override get message() {
    const place = this.coordinator === null ? "" : ` (${this.coordinator} to its workers)`
    return `this is a worker of Citus, and Runhook works through the coordinator alone: name the coordinator${place} instead`
  }
}

const WorkerRow = Schema.Struct({ coordinator: Schema.NullOr(Schema.String) })

/** Fails on a worker of Citus. */
export const checkedCoordinator = Effect.gen(function* () {
  if ((yield* citus) === undefined) return
  const sql = yield* SqlClient
  const worker = yield* decodedFirst(WorkerRow)(sql`
    SELECT c.nodename || ':' || c.nodeport AS coordinator
    FROM pg_dist_local_group l
    LEFT JOIN pg_dist_node c ON c.groupid = 0
    WHERE l.groupid <> 0`)
  if (worker !== undefined) return yield* new NotCoordinator(worker)
}).pipe(Effect.catchTag("SchemaError", Effect.die))
