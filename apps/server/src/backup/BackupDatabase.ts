/** The database of the settings, for a backup of it or a restore into it. */
import type { NotEmpty, SchemaDiffers } from "@runhook/store-pg/backup/Restoring"
import type { SeveralNodes } from "@runhook/store-pg/backup/Snapshot"
import type { Options } from "@runhook/store-pg/PgDatabase"
import * as Embedded from "@runhook/embedded-postgres/EmbeddedPostgres"
import type { EmbeddedFailure } from "@runhook/embedded-postgres/EmbeddedFailure"
import * as RunningServer from "@runhook/embedded-postgres/RunningServer"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import type { Given } from "../config.ts"
import { CommandFailed } from "../logging/Reporting.ts"
import { storePlaceOf } from "../settings/ServerSettings.ts"
import { optionsOf } from "../storage/Database.ts"
import { type DatabaseFailure, databaseProblem } from "../storage/DatabaseProblem.ts"

export interface BackupDatabase {
  readonly options: Options
  /** The setting that names it. */
  readonly setting: string
}

const server = (directory: string) =>
  Effect.map(
    Layer.build(Embedded.layer({ directory })),
    (context) => Context.get(context, Embedded.EmbeddedPostgres).url
  )

const inMemory = new CommandFailed({
  reason: "RUNHOOK_STORE=memory keeps nothing that could be backed up or restored"
})

type Url = Effect.Effect<Redacted.Redacted, CommandFailed | EmbeddedFailure, Scope.Scope>

const found = Effect.fnUntraced(function* (given: Given, embedded: (directory: string) => Url) {
  const place = storePlaceOf(given)
  switch (place._tag) {
    case "Memory":
      return yield* inMemory
    case "Server":
      return { options: optionsOf(place.url, given.databaseTimeout), setting: "RUNHOOK_DATABASE_URL" }
    case "Embedded": {
      const url = yield* embedded(place.directory).pipe(
        Effect.mapError((failure) =>
          failure._tag === "CommandFailed"
            ? failure
            : new CommandFailed({ reason: `RUNHOOK_DATA_DIR: ${failure.message}` })
        )
      )
      return { options: optionsOf(url, given.databaseTimeout), setting: "RUNHOOK_DATA_DIR" }
    }
  }
})

/** The database that is there, whether its service runs or not. */
export const existing = (given: Given) =>
  found(
    given,
    Effect.fnUntraced(function* (directory) {
      if (yield* RunningServer.isMade(directory))
        return yield* Effect.catchTag(server(directory), "FolderInUse", () => RunningServer.find(directory))
      return yield* new CommandFailed({ reason: `${directory} has no database: there is nothing to back up` })
    })
  )

/** A database that nobody works with; one that the service would start itself is made. */
export const unused = (given: Given) => found(given, server)

type Failure = CommandFailed | DatabaseFailure | NotEmpty | SchemaDiffers | SeveralNodes

/** Ends work on the database with words for what went wrong. */
export const toldBy =
  ({ setting }: BackupDatabase) =>
  <A, R>(work: Effect.Effect<A, Failure, R>) =>
    Effect.mapError(work, (failure) => {
      switch (failure._tag) {
        case "CommandFailed":
          return failure
        case "NotEmpty":
        case "SchemaDiffers":
        case "SeveralNodes":
          return new CommandFailed({ reason: `${setting}: ${failure.message}` })
        default:
          return new CommandFailed({ reason: databaseProblem(setting, failure) })
      }
    })
