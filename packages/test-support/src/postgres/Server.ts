/** PostgreSQL as the service starts its own, for the tests of several processes at once. */
import { execFile } from "node:child_process"
import { appendFile, writeFile } from "node:fs/promises"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { promisify } from "node:util"
import * as Binaries from "@runhook/embedded-postgres/Binaries"
import * as Cluster from "@runhook/embedded-postgres/Cluster"
import { clusterFolder, prepare } from "@runhook/embedded-postgres/DataFolder"
import * as LibraryLinks from "@runhook/embedded-postgres/LibraryLinks"
import * as Postmaster from "@runhook/embedded-postgres/Postmaster"
import * as PrivateFolder from "@runhook/embedded-postgres/PrivateFolder"
import * as ServerLog from "@runhook/embedded-postgres/ServerLog"
import * as SystemUser from "@runhook/embedded-postgres/SystemUser"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Logger from "effect/Logger"
import * as Redacted from "effect/Redacted"
import * as Scope from "effect/Scope"

export interface Server {
  /** Of a database whose role may make others. */
  readonly url: string
  /** A folder with a cluster that was never started, for others to copy. */
  readonly cluster: string
  readonly end: () => Promise<void>
}

/** Each test may have pools of some twenty connections, and the service's own server takes a hundred. */
const connectionsMax = 400

export interface StartOptions {
  /** Stronger than those of the service. */
  readonly settings?: Readonly<Record<string, string>>
  /** What has to be done in the folder before its first start. */
  readonly prepare?: () => Promise<void>
}

export const start = async (
  directory: string,
  { prepare: prepareFiles, settings = {} }: StartOptions = {}
): Promise<Server> => {
  const scope = Scope.makeUnsafe()
  const starting = Effect.gen(function* () {
    const folder = clusterFolder(directory)
    yield* prepare(directory)
    const user = yield* SystemUser.choose(folder)
    const socketFolder = yield* PrivateFolder.make({ directory, user })
    const binaries = yield* Binaries.find({ user, privateFolder: socketFolder })
    const { password } = yield* Cluster.open({ directory, binaries, user })
    const postgres = yield* unsynced(binaries.postgres, socketFolder, settings)
    const cluster = join(dirname(directory), "cluster")
    yield* Effect.promise(async () => {
      // With its owner, to whom every start on a copy would have to give it otherwise.
      await promisify(execFile)("cp", ["-Rp", folder, cluster])
      await prepareFiles?.()
      await appendFile(join(folder, "postgresql.conf"), `max_connections = ${connectionsMax}\n`)
    })
    const hear = ServerLog.passingNews()
    yield* Postmaster.start({ binaries: { ...binaries, postgres }, user, folder, socketFolder, hear })
    const login = `${Cluster.name}:${Redacted.value(password)}`
    return { cluster, url: `postgresql://${login}@${encodeURIComponent(socketFolder)}/${Cluster.name}` }
  })
  const started = await Effect.runPromise(
    starting.pipe(Scope.provide(scope), Effect.provide(Logger.layer([])))
  )
  return { ...started, end: () => Effect.runPromise(Scope.close(scope, Exit.void)) }
}

/**
 * A program that is PostgreSQL without waiting for the disk, which nobody cuts the power of and which all tests share.
 * Of the settings that a server is given, the last one counts.
 */
const unsynced = Effect.fnUntraced(function* (
  postgres: string,
  folder: string,
  settings: Readonly<Record<string, string>>
) {
  const program = join(folder, "unsynced")
  const words = Object.entries({ fsync: "off", ...settings }).map(([name, value]) => `-c '${name}=${value}'`)
  const text = `#!/bin/sh\nexec '${postgres.replaceAll("'", String.raw`'\''`)}' "$@" ${words.join(" ")}\n`
  yield* Effect.promise(() => writeFile(program, text, { mode: 0o755 }))
  return program
})

/** The programs of the oldest PostgreSQL that Runhook supports, which npm installs for the tests. */
export const oldest = Effect.gen(function* () {
  const name = `postgres-15-${process.platform}-${process.arch}`
  const folder = join(dirname(createRequire(import.meta.url).resolve(name)), "..", "native")
  yield* LibraryLinks.complete(folder)
  const programs: Pick<Binaries.Binaries, "initdb" | "postgres"> = {
    initdb: join(folder, "bin", "initdb"),
    postgres: join(folder, "bin", "postgres")
  }
  return programs
})
