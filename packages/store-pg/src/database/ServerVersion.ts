/** Checks the version of the PostgreSQL server. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"

/** The oldest major version that supports every statement of the stores. */
const oldestVersion = 15

/** The server would refuse some statements. Nothing was changed in it. */
export class ServerTooOld extends Schema.TaggedError<ServerTooOld>()("ServerTooOld", {
  version: Schema.String
}) {
  override get message() {
    return `this is PostgreSQL ${this.version}, and Runhook needs ${oldestVersion} or later`
  }
}

const VersionRows = Schema.Tuple([Schema.Struct({ version: Schema.String, number: Schema.FiniteFromString })])

/** Answers the version of the server, such as `18.4`, unless it is too old. */
export const checkedVersion = Effect.gen(function* () {
  const sql = yield* SqlClient
  const rows = yield* sql`
    SELECT current_setting('server_version') AS version, current_setting('server_version_num') AS number`
  const [{ number, version }] = yield* Effect.orDie(Schema.decodeUnknownEffect(VersionRows)(rows))
  return number < oldestVersion * 10_000 ? yield* new ServerTooOld({ version }) : version
})
