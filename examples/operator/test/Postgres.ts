/** A PostgreSQL of the test's own, as any server that an operator has. */
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { EmbeddedPostgres, layer } from "@runhook/embedded-postgres/EmbeddedPostgres"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Redacted from "effect/Redacted"

export interface Postgres extends AsyncDisposable {
  readonly url: string
}

export const startPostgres = async (): Promise<Postgres> => {
  const directory = await mkdtemp(join(tmpdir(), "runhook-example-"))
  const server = ManagedRuntime.make(
    layer({ directory: join(directory, "database") }).pipe(Layer.provide(Logger.layer([])))
  )
  const url = await server.runPromise(EmbeddedPostgres.use((postgres) => Effect.succeed(postgres.url)))
  return {
    url: Redacted.value(url),
    async [Symbol.asyncDispose]() {
      await server.dispose()
      await rm(directory, { recursive: true, force: true })
    }
  }
}
