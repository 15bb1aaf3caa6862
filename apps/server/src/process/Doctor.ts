/** Whether a server could start here, and whether one answers. */
import { dirname, resolve } from "node:path"
import * as FreeSpace from "@runhook/artifacts/disk/FreeSpace"
import { nameOf } from "@runhook/artifacts/s3/Bucket"
import * as S3Artifacts from "@runhook/artifacts/s3/S3Artifacts"
import { ArtifactStorage } from "@runhook/core/artifacts/ArtifactStorage"
import { isStorageUnavailable } from "@runhook/core/artifacts/StorageUnavailable"
import { checked, type Options } from "@runhook/store-pg/PgDatabase"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpClient from "effect/http/HttpClient"
import * as Option from "effect/Option"
import * as References from "effect/References"
import * as Result from "effect/Result"
import * as SmtpMail from "../alerts/SmtpMail.ts"
import { type Given, given, unknownSettings } from "../config.ts"
import { CommandFailed } from "../logging/Reporting.ts"
import { artifactsDirOf, bucketOf } from "../settings/ArtifactsKept.ts"
import { serverSettings, storePlaceOf } from "../settings/ServerSettings.ts"
import { optionsOf } from "../storage/Database.ts"
import { databaseProblem } from "../storage/DatabaseProblem.ts"
import { baseUrlOf } from "../commands/AdminClient.ts"
import { isTextReport } from "../output/Output.ts"
import { print } from "../output/Writer.ts"

/** One check. It answers what it found, or fails with what to do. */
interface Check<R> {
  readonly name: string
  readonly check: Effect.Effect<string, string, R>
}

const settings: Check<never> = {
  name: "settings",
  check: Effect.gen(function* () {
    const read = yield* Effect.result(serverSettings)
    const problems = [...(Result.isFailure(read) ? read.failure.problems : []), ...(yield* unknownSettings)]
    return Result.isSuccess(read) && problems.length === 0
      ? `complete, for ${read.success.mode} mode`
      : yield* Effect.fail(problems.join("\n          "))
  })
}

const dataDirectory: Check<FileSystem.FileSystem> = {
  name: "data",
  check: Effect.gen(function* () {
    const { dataDir } = yield* Effect.mapError(given, () => "see the settings above")
    return yield* roomIn({
      directory: dataDir,
      setting: "RUNHOOK_DATA_DIR",
      freeBytesMin: logBytes,
      remedy: "make room there"
    })
  })
}

/** Four segments of PostgreSQL's log: it ends, and does not start, without room for the next one. */
const logBytes = 4 * 16 * 1024 ** 2

interface Folder {
  readonly directory: string
  readonly setting: string
  readonly freeBytesMin: number
  /** What to do if fewer are free. */
  readonly remedy: string
}

/** Whether files can be written to a folder, or to the one in which it will be made. Makes none. */
const roomIn = Effect.fnUntraced(function* ({ directory, freeBytesMin, remedy, setting }: Folder) {
  const disk = yield* FileSystem.FileSystem
  const nearest = (path: string): Effect.Effect<string> =>
    Effect.flatMap(
      Effect.orElseSucceed(disk.exists(path), () => true),
      (exists) => (exists ? Effect.succeed(path) : nearest(dirname(path)))
    )
  const place = yield* nearest(resolve(directory))
  yield* disk
    .access(place, { readable: true, writable: true })
    .pipe(
      Effect.mapError(() => `${place} cannot be read and written: set ${setting} to a directory of this user`)
    )
  const free = yield* FreeSpace.freeBytesOf(place)
  if (free <= freeBytesMin)
    return yield* Effect.fail(
      `${place} has ${free} bytes free, and needs more than ${freeBytesMin}: ${remedy}`
    )
  return place === resolve(directory) ? `${directory} can be written` : `${directory} will be made`
})

const database: Check<never> = {
  name: "database",
  check: Effect.gen(function* () {
    const those = yield* Effect.mapError(given, () => "see the settings above")
    const place = storePlaceOf(those)
    switch (place._tag) {
      case "Memory":
        return "none: nothing is kept after a stop"
      case "Embedded":
        return `the service runs its own in ${place.directory}`
      case "Server":
        return yield* serverAt(optionsOf(place.url, those.databaseTimeout))
    }
  })
}

const serverAt = (options: Options) =>
  checked(options).pipe(
    Effect.map((server) => `${server} answers`),
    Effect.mapError((error) => databaseProblem("RUNHOOK_DATABASE_URL", error))
  )

/** Of a service that sends alerts by e-mail. */
const mails = ({ alertFrom, authorities = [], mailServer }: Given): ReadonlyArray<Check<never>> =>
  mailServer === undefined || alertFrom === undefined
    ? []
    : [
        {
          name: "mail",
          check: SmtpMail.make({ server: mailServer, from: alertFrom, authorities }).pipe(
            Effect.flatMap(({ check }) => check),
            Effect.mapBoth({
              onFailure: (problem) => `RUNHOOK_SMTP_URL: ${problem}`,
              onSuccess: (place) => `${place} lets this service in`
            })
          )
        }
      ]

/** Where captured files are kept. */
const files = (known: Given): Check<FileSystem.FileSystem> => {
  const bucket = bucketOf(known)
  if (bucket === null) {
    const directory = artifactsDirOf(known)
    return {
      name: "files",
      check: roomIn({
        directory,
        setting: "RUNHOOK_ARTIFACTS_DIR",
        freeBytesMin: known.artifactsFreeSpace ?? 0,
        remedy: "make room there, or set RUNHOOK_ARTIFACTS_FREE_SPACE to less"
      })
    }
  }
  const check = ArtifactStorage.use((storage) => storage.check).pipe(
    Effect.flatMap((condition) =>
      condition === "full"
        ? Effect.fail(
            `${nameOf(bucket)} takes no more files: make room, or name another in RUNHOOK_ARTIFACTS_URL`
          )
        : Effect.succeed(`${nameOf(bucket)} takes files`)
    ),
    Effect.catchDefect((defect) =>
      isStorageUnavailable(defect) ? Effect.fail(`${nameOf(bucket)}: ${defect.reason}`) : Effect.die(defect)
    ),
    Effect.provide(S3Artifacts.layer({ bucket })),
    Effect.provideService(References.MinimumLogLevel, "None")
  )
  return { name: "files", check }
}

const server: Check<HttpClient.HttpClient> = {
  name: "server",
  check: Effect.gen(function* () {
    const baseUrl = baseUrlOf(yield* Effect.mapError(given, () => "see the settings above"))
    const { status } = yield* HttpClient.get(`${baseUrl}/readyz`).pipe(
      Effect.timeout(Duration.seconds(5)),
      Effect.mapError(() => `none answers at ${baseUrl}: start one, or set RUNHOOK_BASE_URL to where it is`)
    )
    return status === 200
      ? `ready at ${baseUrl}`
      : yield* Effect.fail(`${baseUrl} is not ready: /readyz answers ${status}`)
  })
}

/** Prints for people at once what a check has found. */
const run = Effect.fnUntraced(function* <R>({ check, name }: Check<R>) {
  const found = yield* Effect.result(check)
  const ok = Result.isSuccess(found)
  const message = ok ? found.success : found.failure
  if (yield* isTextReport) yield* print(`${ok ? "ok  " : "FAIL"}  ${name.padEnd(9)} ${message}`)
  return { check: name, ok, message }
})

export const doctor = Effect.gen(function* () {
  const known = yield* Effect.option(given)
  const ofServices = Option.match(known, {
    onNone: () => [],
    onSome: (those) => [files(those), ...mails(those)]
  })
  const checks = [
    yield* run(settings),
    yield* run(dataDirectory),
    yield* run(database),
    ...(yield* Effect.forEach(ofServices, run)),
    yield* run(server)
  ]
  const isWell = checks.every(({ ok }) => ok)
  if (!(yield* isTextReport)) yield* print(JSON.stringify({ ok: isWell, checks }, null, 2))
  if (!isWell) return yield* new CommandFailed({ reason: "Not everything is in order" })
}).pipe(Effect.provide(FetchHttpClient.layer))
