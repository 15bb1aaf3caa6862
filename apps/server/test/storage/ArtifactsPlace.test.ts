import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { eventually } from "../Http.ts"
import { type Running, runningServer, temporaryDirectory } from "../RunhookProcess.ts"
import { testPostgres } from "../TestPostgres.ts"

const warning = /Artifacts of this service lie in different places: here in (.+?) of /g

const warningsOf = ({ log }: Running): ReadonlyArray<string> =>
  [...log().matchAll(warning)].map(([, folder = ""]) => folder)

describe("processes of one service", () => {
  it.live("warn once each while they keep artifacts in different folders, and not while they share one", () =>
    Effect.gen(function* () {
      const { url } = yield* testPostgres
      const directory = yield* temporaryDirectory
      const settings = {
        RUNHOOK_ADMIN_KEY: "the-admin-key-of-the-test-of-folders",
        RUNHOOK_SECRET_KEY: "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
        RUNHOOK_DATABASE_URL: url,
        RUNHOOK_DATABASE_TIMEOUT: "1",
        RUNHOOK_DATA_DIR: directory
      }
      const start = (folder: string, more = {}) =>
        runningServer({ ...settings, RUNHOOK_ARTIFACTS_DIR: join(directory, folder), ...more }, ["serve"])

      const here = [
        yield* start("one"),
        yield* start("one"),
        yield* start("two", { RUNHOOK_ROLES: "dispatcher" })
      ]
      const before = here.flatMap(warningsOf)
      const elsewhere = yield* start("other")
      const all = [...here.slice(0, 2), elsewhere]
      yield* eventually(
        Effect.sync(() => all.map(warningsOf)),
        (found) => found.every((each) => each.length > 0)
      )

      assert.deepStrictEqual(before, [])
      assert.deepStrictEqual(
        all.map(warningsOf),
        ["one", "one", "other"].map((folder) => [join(directory, folder)])
      )
    }).pipe(Effect.scoped)
  )
})
