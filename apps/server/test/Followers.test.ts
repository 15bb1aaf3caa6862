import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { SqlClient } from "effect/sql/SqlClient"
import { bodyOf, request } from "./Http.ts"
import { runningServer, temporaryDirectory } from "./RunhookProcess.ts"
import { onDatabase, testPostgres } from "./TestPostgres.ts"

const adminKey = "an-admin-key-of-the-operator-himself"
const headers = { authorization: `Bearer ${adminKey}`, "content-type": "application/json" }

/**
 * In this database no notification is delivered while `untold.on` has a row: as if the process were killed, or hung,
 * between its answer and the notification.
 */
const withholding = SqlClient.use((sql) =>
  Effect.gen(function* () {
    yield* sql`CREATE SCHEMA untold`
    yield* sql`CREATE TABLE untold.on (since timestamptz)`
    yield* sql`
      CREATE FUNCTION untold.pg_notify(channel text, payload text) RETURNS void LANGUAGE plpgsql AS $$
      BEGIN
        IF EXISTS (SELECT FROM untold.on) THEN RAISE EXCEPTION 'nobody is told anything'; END IF;
        PERFORM pg_catalog.pg_notify(channel, payload);
      END $$`
    yield* sql`
      DO $$ BEGIN
        EXECUTE format('ALTER DATABASE %I SET search_path = public, untold, pg_catalog', current_database());
      END $$`
  })
)
const withhold = SqlClient.use((sql) => sql`INSERT INTO untold.on VALUES (now())`)
const release = SqlClient.use((sql) => sql`DELETE FROM untold.on`)

/** An account that a client follows at one process, and another process, which changes it. */
const followed = Effect.gen(function* () {
  const { url } = yield* testPostgres
  yield* onDatabase(url, withholding)
  const settings = {
    RUNHOOK_ADMIN_KEY: adminKey,
    RUNHOOK_SECRET_KEY: "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
    RUNHOOK_DATA_DIR: yield* temporaryDirectory,
    RUNHOOK_DATABASE_URL: url
  }
  const [watching, changing] = yield* Effect.all([runningServer(settings), runningServer(settings)], {
    concurrency: 2
  })
  const post = (path: string, name: string) =>
    Effect.flatMap(
      request(`${changing.baseUrl}/api/v1/admin/accounts${path}`, {
        method: "POST",
        headers,
        body: JSON.stringify({ name })
      }),
      bodyOf(Schema.Struct({ id: Schema.String }))
    )
  const account = yield* post("", "Followed")
  const stream = yield* request(`${watching.baseUrl}/api/v1/admin/accounts/${account.id}/changes`, {
    headers
  })
  assert.isNotNull(stream.body)
  const pull = yield* Stream.toPull(
    Stream.fromReadableStream({
      evaluate: () => stream.body ?? new ReadableStream<Uint8Array>(),
      onError: (cause) => cause
    }).pipe(Stream.decodeText, Stream.splitLines)
  )
  let lines: ReadonlyArray<string> = []
  /** Waits for a line of the stream. */
  const line = (form: RegExp) =>
    Effect.gen(function* () {
      while (!lines.some((each) => form.test(each))) lines = yield* pull
      lines = lines.slice(lines.findIndex((each) => form.test(each)) + 1)
    }).pipe(Effect.orDie)
  yield* line(/^event: hello/)
  const change = (name: string) => post(`/${account.id}/agents`, name)
  // Until another process has heard of the follower.
  yield* change("Told")
  yield* line(/^event: (?:change|many)/)
  return { change, changing, line, url }
})

describe("a follower at another process", { concurrent: true }, () => {
  it.live("is told that changes may be lost of a process that was killed right after its answer", () =>
    Effect.gen(function* () {
      const { change, changing, line, url } = yield* followed
      yield* onDatabase(url, withhold)
      yield* change("Untold")

      changing.signal("SIGKILL")

      yield* changing.ended
      yield* onDatabase(url, release)
      yield* line(/^event: reset/)
    })
  )

  it.live("is told so of a process that stands still, and what that changes when it goes on", () =>
    Effect.gen(function* () {
      const { change, changing, line, url } = yield* followed
      yield* onDatabase(url, withhold)
      yield* change("Untold")

      changing.signal("SIGSTOP")

      yield* onDatabase(url, release)
      yield* line(/^event: reset/)
      changing.signal("SIGCONT")
      yield* change("Told again")
      yield* line(/^event: (?:change|many|reset)/)
    })
  )
})
