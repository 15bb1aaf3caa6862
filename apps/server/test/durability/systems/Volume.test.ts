import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { SqlClient } from "effect/sql/SqlClient"
import { emptyPostgres, onDatabase } from "../../TestPostgres.ts"
import { pretended } from "./Volume.ts"

describe("a disk that is full by triggers, where none may be mounted", () => {
  it.live("takes no write until it is emptied, as often as it is filled", () =>
    Effect.gen(function* () {
      const { url } = yield* emptyPostgres
      const run = (statement: string) =>
        onDatabase(
          url,
          SqlClient.use((sql) => sql.unsafe(statement))
        )
      const isWritten = Effect.map(Effect.exit(run("INSERT INTO kept DEFAULT VALUES")), Exit.isSuccess)
      yield* run("CREATE TABLE kept (id integer)")
      const disk = pretended("unused")

      const written: Array<boolean> = []
      for (let round = 0; round < 2; round++) {
        yield* Effect.promise(() => disk.fill(url))
        written.push(yield* isWritten)
        yield* Effect.promise(disk.empty)
        written.push(yield* isWritten)
      }

      assert.deepStrictEqual(written, [false, true, false, true])
    })
  )
})
