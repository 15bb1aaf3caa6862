/** `runhook serve` and `runhook start`: the service, until it is told to stop. */
import type { DirectoryUnusable } from "@runhook/artifacts/disk/StorageDirectory"
import type { SealBroken } from "@runhook/core/signing/SecretBox"
import type { EmbeddedFailure } from "@runhook/embedded-postgres/EmbeddedFailure"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import { identity } from "effect/Function"
import type { ServeError } from "effect/http/HttpServerError"
import * as Layer from "effect/Layer"
import * as References from "effect/References"
import { parentGone } from "../process/ParentWatch.ts"
import { StartupProblems } from "../process/StartupProblems.ts"
import { type ServerSettings, serverSettings } from "../settings/ServerSettings.ts"
import { type DatabaseFailure, databaseProblem } from "../storage/DatabaseProblem.ts"
import * as DataDirectory from "../storage/DataDirectory.ts"
import * as Fleet from "../workers/Fleet.ts"

type StartFailure =
  | DatabaseFailure
  | DirectoryUnusable
  | EmbeddedFailure
  | SealBroken
  | ServeError
  | StartupProblems

export type Server = (settings: ServerSettings) => Layer.Layer<never, StartFailure>

/** Runs the server of these settings. Ends without an error when it is told to stop. */
export const serve = (server: Server) =>
  Effect.gen(function* () {
    const settings = yield* serverSettings
    yield* DataDirectory.prepare(settings)
    yield* Layer.launch(isParent(settings) ? Fleet.layer(settings) : server(settings)).pipe(
      Effect.provideService(References.MinimumLogLevel, settings.logLevel),
      settings.worker === null ? identity : Effect.annotateLogs({ worker: settings.worker.place }),
      Effect.raceFirst(yield* parentGone),
      Effect.mapError((failure) =>
        failure instanceof StartupProblems
          ? failure
          : new StartupProblems({ problems: [startProblem(settings, failure)] })
      )
    )
  })

/** Of several workers, each with a parent that serves nothing. */
const isParent = ({ worker, workers }: ServerSettings): boolean => workers > 1 && worker === null

export const serveCommand = (server: Server) =>
  Command.make("serve", { isMemory }, served(server)).pipe(
    Command.withDescription(
      "Run the service until it is told to stop. Its settings are environment variables: see `runhook settings`. " +
        "Supervisors run this file itself and not `npx`, which passes no signals on."
    )
  )

/** What `npm start` runs: everything that production requires is made, and a demo shows the service at work. */
export const startCommand = (server: Server) =>
  Command.make("start", { isMemory }, (flags) =>
    Effect.provide(served(server)(flags), developmentUnlessSet)
  ).pipe(
    Command.withDescription(
      "Try the service out: run it in development mode, with a demo account, a working agent and a webhook inbox."
    )
  )

const served = (server: Server) => (flags: { readonly isMemory: boolean }) =>
  serve(server).pipe(flags.isMemory ? Effect.provide(memoryForced) : identity)

const isMemory = Flag.Boolean("memory").pipe(
  Flag.withDescription("Keep nothing after a stop, as RUNHOOK_STORE=memory"),
  Flag.withDefault(false)
)

const memoryForced = ConfigProvider.layerAdd(ConfigProvider.fromEnv({ env: { RUNHOOK_STORE: "memory" } }), {
  asPrimary: true
})

const developmentUnlessSet = ConfigProvider.layerAdd(
  ConfigProvider.fromEnv({ env: { RUNHOOK_MODE: "development" } })
)

const startProblem = (settings: ServerSettings, failure: Exclude<StartFailure, StartupProblems>): string => {
  switch (failure._tag) {
    case "DirectoryUnusable":
    case "FolderInUse":
    case "FolderUnusable":
    case "VersionMismatch":
      return `RUNHOOK_DATA_DIR: ${failure.message}`
    case "DistributedOtherwise":
    case "NotDistributed":
    case "SchemaTooNew":
    case "SchemaUnreleased":
    case "ServerTooOld":
    case "SessionsShared":
    case "SqlError":
      return databaseProblem(databaseSetting(settings), failure)
    case "SealBroken":
      return `RUNHOOK_SECRET_KEY: ${failure.message}; set the key that the database was used with${ofTrial(settings)}, or restore it from a backup`
    case "ServeError":
      return listenProblem(settings, failure.cause)
    default:
      return failure.message
  }
}

/** Where that key is if the folder has seen `npm start`, which makes one. */
const ofTrial = ({ dataDir, store }: ServerSettings): string =>
  store._tag === "Embedded" ? ` (development mode keeps it in ${dataDir}/secrets.json)` : ""

/** The setting that names the database. */
const databaseSetting = ({ store }: ServerSettings): string =>
  store._tag === "Embedded" ? "RUNHOOK_DATA_DIR" : "RUNHOOK_DATABASE_URL"

const listenProblem = ({ host, port }: ServerSettings, cause: unknown): string => {
  const code = cause instanceof Error && "code" in cause ? cause.code : undefined
  switch (code) {
    case "EADDRINUSE":
      return `RUNHOOK_PORT ${port} is in use on ${host}: stop what uses it, or set another (0 takes any free one)`
    case "EACCES":
      return `RUNHOOK_PORT ${port} may not be used by this user: set one above 1023`
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
      return `RUNHOOK_HOST ${host} is not an address of this machine`
    default:
      return `Cannot listen on ${host} port ${port}: ${String(code ?? "unknown reason")}`
  }
}
