import { mkdir, readFile, rm, stat, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { serving } from "./Client.ts"
import { eventually, namesIn, temporaryFolder } from "./Folder.ts"

const failureOn = (directory: string) => Effect.flip(serving(directory, () => Effect.void))

/** A folder that looks as if another major version had made it. */
const madeBy = Effect.fnUntraced(function* (version: string) {
  const directory = yield* temporaryFolder
  const cluster = join(directory, "cluster")
  yield* Effect.promise(async () => {
    await mkdir(cluster, { recursive: true })
    await writeFile(join(cluster, "PG_VERSION"), version)
    await writeFile(join(cluster, "runhook.password"), "secret")
  })
  return directory
})

describe("a folder", () => {
  it.live("of an older major version is refused with how to upgrade, and left as it was", () =>
    Effect.gen(function* () {
      const directory = yield* madeBy("17\n")

      const failure = yield* failureOn(directory)

      assert.strictEqual(
        failure.message,
        `The database in ${directory} was made by PostgreSQL 17, and PostgreSQL 18 is installed here: upgrade it ` +
          "with pg_upgrade of PostgreSQL 18, or start the version that made it, save the database with pg_dump " +
          "and restore it into a new folder"
      )
      assert.deepStrictEqual(yield* namesIn(join(directory, "cluster")), ["PG_VERSION", "runhook.password"])
    })
  )

  it.live("of a newer major version is refused", () =>
    Effect.gen(function* () {
      const directory = yield* madeBy("19\n")

      const failure = yield* failureOn(directory)

      assert.strictEqual(
        failure.message,
        `The database in ${directory} was made by PostgreSQL 19, and PostgreSQL 18 is installed here: start a newer version`
      )
    })
  )

  it.live("whose cluster this package did not make is refused and left as it was", () =>
    Effect.gen(function* () {
      const directory = yield* madeBy("18\n")
      yield* Effect.promise(() => rm(join(directory, "cluster", "runhook.password")))

      const failure = yield* failureOn(directory)

      const reason = `${join(directory, "cluster")} is not a database that this package made`
      assert.strictEqual(failure.message, `The database cannot be kept in ${directory}: ${reason}`)
      assert.deepStrictEqual(yield* namesIn(join(directory, "cluster")), ["PG_VERSION"])
    })
  )

  it.live("whose making is interrupted is empty again", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryFolder
      const fiber = yield* Effect.forkChild(serving(directory, () => Effect.never))
      const names = namesIn(directory).pipe(Effect.catchCause(() => Effect.succeed([])))
      yield* eventually(Effect.map(names, (found) => found.some((name) => name.startsWith("unfinished-"))))

      yield* Fiber.interrupt(fiber)

      assert.deepStrictEqual(yield* namesIn(directory), ["lock"])
    })
  )

  it.live("keeps its password where only the service reads it", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryFolder
      yield* serving(directory, () => Effect.void)

      const file = join(directory, "cluster", "runhook.password")

      const { mode } = yield* Effect.promise(() => stat(file))
      assert.strictEqual(mode & 0o777, 0o600)
      assert.match(yield* Effect.promise(() => readFile(file, "utf8")), /^[\w-]{43}\n$/)
    })
  )
})
