/** PostgreSQL as the service starts its own, for the tests of several processes at once. */
import { appendFile } from "node:fs/promises"
import { join } from "node:path"
import { open } from "@runhook/embedded-postgres/EmbeddedPostgres"
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
