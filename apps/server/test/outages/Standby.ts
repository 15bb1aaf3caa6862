/** A PostgreSQL that is a standby, of nobody in particular, until it is promoted. */
import { readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { open } from "@runhook/embedded-postgres/EmbeddedPostgres"
import { copyCluster } from "@runhook/test-support/postgres/TestServer"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Logger from "effect/Logger"
import * as Redacted from "effect/Redacted"
import * as Scope from "effect/Scope"
import { eventually } from "../Http.ts"
import { temporaryDirectory } from "../RunhookProcess.ts"

/** What is asked of whom: `hot_standby` answers reads, without it nobody is let in. */
type Standby = "hot" | "closed"

/** Made, and not started yet. It ends with the scope. */
export const promotablePostgres = Effect.gen(function* () {
  const said: Array<string> = []
  const heard = Logger.layer([Logger.make<unknown, void>(({ message }) => void said.push(String(message)))])
  const directory = join(yield* temporaryDirectory, "database")
  yield* Effect.promise(() => copyCluster(directory))
  const { folder, start, url } = yield* Effect.provide(open({ directory }), heard)
  const scope = yield* Effect.scope
  const postmaster = Effect.tryPromise(async () =>
    Number.parseInt(await readFile(join(folder, "postmaster.pid"), "utf8"), 10)
  )

  /** Answers how to end it. */
  const startAs = Effect.fnUntraced(function* (signal: string, hotStandby: "on" | "off") {
    yield* Effect.promise(() =>
      Promise.all([
        signal === "" ? undefined : writeFile(join(folder, signal), ""),
        writeFile(join(folder, "postgresql.auto.conf"), `hot_standby = ${hotStandby}\n`)
      ])
    )
    const life = yield* Scope.fork(scope)
    const starting = yield* Effect.forkIn(Effect.provide(Scope.provide(start, life), heard), life)
    return { starting, end: Scope.close(life, Exit.void) }
  })

  return {
    url: Redacted.value(url),
    /** Answers when it takes connections, and writes. */
    startPrimary: Effect.gen(function* () {
      const { end, starting } = yield* startAs("", "on")
      yield* Fiber.join(starting)
      return end
    }),
    /** Answers as soon as there is a server, which may not take connections yet. */
    startStandby: (standby: Standby) =>
      Effect.gen(function* () {
        yield* startAs("standby.signal", standby === "hot" ? "on" : "off")
        yield* eventually(
          Effect.orElseSucceed(postmaster, () => Number.NaN),
          (pid) => pid > 0
        )
      }),
    /** Waits until it has turned somebody away. */
    hasRefused: eventually(
      Effect.sync(() => said.some((line) => line.includes("is not accepting connections"))),
      (has) => has
    ),
    /** Has it take writes from now on. */
    promote: Effect.gen(function* () {
      yield* Effect.promise(() => writeFile(join(folder, "promote"), ""))
      const pid = yield* postmaster
      yield* Effect.sync(() => process.kill(pid, "SIGUSR1"))
    })
  }
})
