import { assert, describe, it } from "@effect/vitest"
import { patient } from "@runhook/store-pg/connections/Deadline"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { freezablePostgres } from "../FrozenPostgres.ts"
import { onDatabase, testPostgres } from "../TestPostgres.ts"
import { assertOneOutage, servedOn } from "./Served.ts"
import { assertAway } from "./Verbs.ts"

describe("a service whose database is there and says nothing", { concurrent: true }, () => {
  it.live("answers 503 while it stands still, and goes on with what it acknowledged", () =>
    Effect.gen(function* () {
      const { freeze, thaw, url } = yield* freezablePostgres
      const served = yield* servedOn({ RUNHOOK_DATABASE_URL: url })
      const { body } = yield* Effect.promise(served.create)
      const id = String(body?.execution_id)

      yield* freeze
      const answers = yield* Effect.promise(served.everything)
      // On connections that are opened meanwhile, too.
      const again = yield* Effect.promise(() =>
        Promise.all([served.create(), served.read(id), served.poll(0)])
      )
      yield* thaw

      answers.forEach(([verb, answer]) => assertAway(verb, answer))
      again.forEach((answer) => assertAway("again", answer))
      yield* assertOneOutage(served, /no answer within 5s|took no write/)
      assert.strictEqual((yield* Effect.promise(() => served.read(id))).status, 200)
    })
  )

  it.live("answers 503 while somebody holds a lock, and goes on when it is given back", () =>
    Effect.gen(function* () {
      const { url } = yield* testPostgres
      const served = yield* servedOn({ RUNHOOK_DATABASE_URL: url })
      const { body } = yield* Effect.promise(served.create)
      const id = String(body?.execution_id)

      const answers = yield* onDatabase(
        url,
        SqlClient.use((sql) =>
          sql.withTransaction(
            Effect.andThen(
              sql`LOCK TABLE executions IN ACCESS EXCLUSIVE MODE`,
              Effect.promise(() => Promise.all([served.create(), served.read(id)]))
            )
          )
        ).pipe(patient(Duration.seconds(30)))
      )
      const after = yield* Effect.promise(() => Promise.all([served.create(), served.read(id)]))

      answers.forEach((answer) => assertAway("under a lock", answer))
      assert.deepStrictEqual(
        after.map(({ status }) => status),
        [201, 200]
      )
    })
  )
})
