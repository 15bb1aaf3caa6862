/** PostgreSQL as the service starts its own, for the tests of several processes at once. */
import { appendFile } from "node:fs/promises"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import type { Binaries } from "@runhook/embedded-postgres/Binaries"
import { open } from "@runhook/embedded-postgres/EmbeddedPostgres"
import * as LibraryLinks from "@runhook/embedded-postgres/LibraryLinks"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Logger from "effect/Logger"
import * as Redacted from "effect/Redacted"
import * as Scope from "effect/Scope"

export interface Server {
  /** Of a database whose role may make others. */
  readonly url: string
  readonly end: () => Promise<void>
}

/** Each test may have pools of some twenty connections, and the service's own server takes a hundred. */
const connectionsMax = 400

export const start = async (directory: string): Promise<Server> => {
  const scope = Scope.makeUnsafe()
  const starting = Effect.gen(function* () {
    const { folder, start: startServer, url } = yield* open({ directory })
    yield* Effect.promise(() =>
      appendFile(join(folder, "postgresql.conf"), `max_connections = ${connectionsMax}\n`)
    )
    yield* startServer
    return Redacted.value(url)
  })
  const url = await Effect.runPromise(starting.pipe(Scope.provide(scope), Effect.provide(Logger.layer([]))))
  return { url, end: () => Effect.runPromise(Scope.close(scope, Exit.void)) }
}

/** The programs of the oldest PostgreSQL that Runhook supports, which npm installs for the tests. */
export const oldest = Effect.gen(function* () {
  const name = `postgres-15-${process.platform}-${process.arch}`
  const folder = join(dirname(createRequire(import.meta.url).resolve(name)), "..", "native")
  yield* LibraryLinks.complete(folder)
  const programs: Pick<Binaries, "initdb" | "postgres"> = {
    initdb: join(folder, "bin", "initdb"),
    postgres: join(folder, "bin", "postgres")
  }
  return programs
})
