/** The service, until it is told to stop. */
import type { DirectoryUnusable } from "@runhook/artifacts/disk/StorageDirectory"
import type { SealBroken } from "@runhook/core/signing/SecretBox"
import type { EmbeddedFailure } from "@runhook/embedded-postgres/EmbeddedFailure"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import { identity } from "effect/Function"
import type { ServeError } from "effect/http/HttpServerError"
import * as Layer from "effect/Layer"
import * as References from "effect/References"
import { unknownSettings } from "../config.ts"
import { openFilesMax, tooFewFiles } from "../network/OpenFiles.ts"
import { parentGone } from "./ParentWatch.ts"
import { StartupProblems } from "./StartupProblems.ts"
import { usualDir } from "../settings/ArtifactsKept.ts"
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

interface Given {
  /** Keep nothing after a stop, whatever the settings say. */
  readonly isMemory: boolean
  /** Development mode, unless the settings name one. */
  readonly isTrial: boolean
}

/** Runs the server of the settings. Ends without an error when it is told to stop. */
export const serve = ({ isMemory, isTrial }: Given) =>
  Effect.gen(function* () {
    // To stop is what it was told.
    process.exitCode = 0
    const unknown = yield* unknownSettings
    // What is missing may be there under a misspelt name.
    const settings = yield* Effect.mapError(
      serverSettings,
      ({ problems }) => new StartupProblems({ problems: [...problems, ...unknown] })
    )
    if (settings.worker === null)
      yield* Effect.forEach([...unknown, ...tooFewFilesOf(settings)], (line) => Effect.logWarning(line)).pipe(
        Effect.provideService(References.MinimumLogLevel, settings.logLevel)
      )
    yield* DataDirectory.prepare(settings)
    const layer: Layer.Layer<never, StartFailure> = isParent(settings)
      ? Fleet.layer(settings)
      : (yield* loadServer).server(settings)
    yield* Layer.launch(layer).pipe(
      Effect.provideService(References.MinimumLogLevel, settings.logLevel),
      settings.worker === null ? identity : Effect.annotateLogs({ worker: settings.worker.place }),
      Effect.raceFirst(yield* parentGone),
      Effect.mapError((failure) =>
        failure instanceof StartupProblems
          ? failure
          : new StartupProblems({ problems: [startProblem(settings, failure)] })
      )
    )
  }).pipe(
    isMemory ? Effect.provide(memoryForced) : identity,
    isTrial ? Effect.provide(developmentUnlessSet) : identity
  )

/** Most of a start, which a start that is refused needs as little as the parent of workers. */
const loadServer = Effect.promise(() => import("../Server.ts"))

/** Of several workers, each with a parent that serves nothing. */
const isParent = ({ worker, workers }: ServerSettings): boolean => workers > 1 && worker === null

/** In development nobody means so many. */
const tooFewFilesOf = ({ connectionsMax, mode, roles }: ServerSettings): ReadonlyArray<string> =>
  mode === "production" && roles.includes("api") ? tooFewFiles(connectionsMax, openFilesMax()) : []

const memoryForced = ConfigProvider.layerAdd(ConfigProvider.fromEnv({ env: { RUNHOOK_STORE: "memory" } }), {
  asPrimary: true
})

const developmentUnlessSet = ConfigProvider.layerAdd(
  ConfigProvider.fromEnv({ env: { RUNHOOK_MODE: "development" } })
)

const startProblem = (settings: ServerSettings, failure: Exclude<StartFailure, StartupProblems>): string => {
  switch (failure._tag) {
    case "DirectoryUnusable":
      return `${directorySetting(settings, failure)}: ${failure.message}`
    case "FolderInUse":
    case "FolderUnusable":
    case "VersionMismatch":
      return `RUNHOOK_DATA_DIR: ${failure.message}`
    case "DistributedOtherwise":
    case "FunctionsMissing":
    case "NotCoordinator":
    case "NotDistributed":
    case "RestoreUnfinished":
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

/** The setting that names the directory of artifacts. */
const directorySetting = ({ dataDir }: ServerSettings, { directory }: DirectoryUnusable): string =>
  directory === usualDir(dataDir) ? "RUNHOOK_DATA_DIR" : "RUNHOOK_ARTIFACTS_DIR"

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
