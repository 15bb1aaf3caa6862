/** The database itself: made once, and checked before each start. */
import { randomBytes } from "node:crypto"
import { mkdtemp, readFile, rename, rm, stat, writeFile } from "node:fs/promises"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import type { Binaries } from "./Binaries.ts"
import { clusterFolder, unfinishedTemplate } from "./DataFolder.ts"
import { FolderUnusable, PostgresFailed, VersionMismatch } from "./EmbeddedFailure.ts"
import { syncFolder } from "./Folders.ts"
import * as PostgresSettings from "./PostgresSettings.ts"
import { complaintsIn, linesOf, reasonIn, run } from "./RunProgram.ts"
import { ifThere, inFolder } from "./SystemFault.ts"
import { type SystemUser, give, giveAll, pathFor } from "./SystemUser.ts"

/** The one role that may log in, and its database. */
export const name = "runhook"

export interface Cluster {
  readonly folder: string
  readonly password: Redacted.Redacted
}

export interface Options {
  readonly directory: string
  readonly binaries: Binaries
  readonly user: SystemUser | undefined
}

export const passwordFile = (folder: string): string => join(folder, "runhook.password")

/** How the role connects over the socket in that folder. */
export const urlOf = (socketFolder: string, password: string): Redacted.Redacted =>
  Redacted.make(`postgresql://${name}:${password.trim()}@${encodeURIComponent(socketFolder)}/${name}`)

/** Only this role, by its password, over the socket. */
const accessRules = `local all ${name} scram-sha-256\n`

/**
 * Makes the cluster if there is none, and refuses one that these programs cannot
 * serve. Only under the lock.
 */
export const open = Effect.fnUntraced(function* (options: Options) {
  const { directory, binaries, user } = options
  const folder = clusterFolder(directory)
  if ((yield* ifThere(directory, () => stat(folder))) === undefined) {
    yield* Effect.logInfo("Preparing the database for the first time; this takes some seconds")
    yield* make(options)
  }

  const version = yield* ifThere(directory, () => readFile(join(folder, "PG_VERSION"), "utf8"))
  const password = yield* ifThere(directory, () => readFile(passwordFile(folder), "utf8"))
  const found = Number.parseInt(version ?? "", 10)
  if (Number.isNaN(found) || password === undefined) {
    return yield* new FolderUnusable({
      directory,
      reason: `${folder} is not a database that this package made`
    })
  }
  if (found !== binaries.version) {
    return yield* new VersionMismatch({ directory, found, carried: binaries.version })
  }
  yield* takeBack(directory, folder, user)
  return { folder, password: Redacted.make(password.trim()) }
})

/**
 * Made beside its place, and moved there in one step when it is complete and on the
 * disk. If anything interrupts this, the next start begins again.
 */
const make = (options: Options) =>
  Effect.acquireUseRelease(
    inFolder(options.directory, () => mkdtemp(unfinishedTemplate(options.directory))),
    (folder) => Effect.andThen(initialise(folder, options), Effect.uninterruptible(keep(folder, options))),
    (folder) => inFolder(options.directory, () => rm(folder, { recursive: true, force: true }))
  )

const initialise = Effect.fnUntraced(
  function* (folder: string, { directory, binaries, user }: Options) {
    const password = randomBytes(32).toString("base64url")
    const within = { user, cwd: folder }
    const path = pathFor(user, folder)
    yield* inFolder(directory, () => give(folder, user))
    yield* run({
      ...within,
      file: binaries.initdb,
      args: [
        `--pgdata=${path}`,
        "--username=postgres",
        "--auth=reject",
        "--encoding=UTF8",
        "--no-locale",
        ...PostgresSettings.asArguments(PostgresSettings.initial)
      ]
    })
    const { stderr } = yield* run({
      ...within,
      file: binaries.postgres,
      // A failing statement must not be logged, since it contains the password.
      args: ["--single", "-D", path, "-c", "log_min_error_statement=panic", "postgres"],
      input:
        `CREATE ROLE ${name} LOGIN CREATEDB PASSWORD '${password}'\n` +
        `CREATE DATABASE ${name} OWNER ${name}\n`
    })
    // The program continues after a failed statement, and exits with success.
    const said = linesOf(stderr)
    if (complaintsIn(said).length > 0) {
      return yield* new PostgresFailed({ directory, reason: reasonIn(said) })
    }
    yield* inFolder(directory, async () => {
      await writeFile(join(folder, "pg_hba.conf"), accessRules, { flush: true })
      await writeFile(passwordFile(folder), `${password}\n`, { mode: 0o600, flush: true })
    })
  },
  (effect, _folder, { directory }) =>
    Effect.catchTag(effect, "ProgramFailed", ({ reason }) => new PostgresFailed({ directory, reason }))
)

const keep = (folder: string, { directory }: Options) =>
  inFolder(directory, async () => {
    await syncFolder(folder)
    await rename(folder, clusterFolder(directory))
    await syncFolder(directory)
  })

/** A copy that root restored belongs to root, and PostgreSQL could not read it. */
const takeBack = (directory: string, folder: string, user: SystemUser | undefined) =>
  inFolder(directory, async () => {
    const { uid } = await stat(folder)
    if (uid === 0) await giveAll(folder, user)
  })
