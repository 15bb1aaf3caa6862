/** The secrets of development mode: made once, and kept in a file that only its owner reads. */
import type { SecureRandom } from "effect/crypto/SecureRandom"
import * as KeyRing from "@runhook/core/signing/KeyRing"
import { generate as generateKey } from "@runhook/core/signing/ApiKey"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Option from "effect/Option"
import * as Path from "effect/Path"
import type * as PlatformError from "effect/PlatformError"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { StartRefused } from "./StartRefused.ts"

export interface DevelopmentSecrets {
  readonly adminKey: Redacted.Redacted
  readonly secretKey: Redacted.Redacted
}

/** The secrets, and whether this call made them. */
export interface Found extends DevelopmentSecrets {
  readonly isNew: boolean
  readonly path: string
}

const SecretsFile = Schema.fromJsonString(
  Schema.Struct({ admin_key: Schema.NonEmptyString, secret_key: Schema.NonEmptyString })
)

export const pathIn = (dataDir: string): Effect.Effect<string, never, Path.Path> =>
  Effect.map(Path.Path, (path) => path.join(dataDir, "secrets.json"))

/** The secrets kept in the data directory, if there are any. */
export const find = Effect.fn("DevelopmentSecrets.find")(function* (dataDir: string) {
  const files = yield* FileSystem.FileSystem
  const path = yield* pathIn(dataDir)
  const content = yield* files.readFileString(path).pipe(
    Effect.map(Option.some),
    Effect.catchIf(isMissing, () => Effect.succeed(Option.none<string>())),
    Effect.mapError(() => refused(`RUNHOOK_DATA_DIR cannot be read: ${dataDir}; ${remedy}`))
  )
  if (Option.isNone(content)) return Option.none<DevelopmentSecrets>()
  const kept = yield* Schema.decodeUnknownEffect(SecretsFile)(content.value).pipe(
    Effect.mapError(() => refused(`${path} holds no development secrets: remove it, and new ones are made`))
  )
  return Option.some<DevelopmentSecrets>({
    adminKey: Redacted.make(kept.admin_key),
    secretKey: Redacted.make(kept.secret_key)
  })
})

/** The secrets kept in the data directory; makes them, and the directory, when there are none. */
export const findOrMake = Effect.fn("DevelopmentSecrets.findOrMake")(function* (dataDir: string) {
  const path = yield* pathIn(dataDir)
  const kept = yield* find(dataDir)
  if (Option.isSome(kept)) return { ...kept.value, isNew: false, path }
  const made = yield* make
  yield* keep(dataDir, path, made)
  return { ...made, isNew: true, path }
})

const make: Effect.Effect<DevelopmentSecrets, never, SecureRandom> = Effect.gen(function* () {
  const { key } = yield* generateKey("admin")
  return { adminKey: Redacted.make(key), secretKey: Redacted.make(yield* KeyRing.generate) }
})

const keep = Effect.fnUntraced(function* (dataDir: string, path: string, secrets: DevelopmentSecrets) {
  const files = yield* FileSystem.FileSystem
  const content = JSON.stringify(
    { admin_key: Redacted.value(secrets.adminKey), secret_key: Redacted.value(secrets.secretKey) },
    null,
    2
  )
  yield* files.makeDirectory(dataDir, { recursive: true }).pipe(
    Effect.andThen(files.writeFileString(path, `${content}\n`, { flag: "wx", mode: 0o600 })),
    Effect.mapError(() => refused(`RUNHOOK_DATA_DIR cannot be written: ${dataDir}; ${remedy}`))
  )
})

const isMissing = (error: PlatformError.PlatformError): boolean => error.reason._tag === "NotFound"

const remedy = "set it to a directory of this user"

const refused = (problem: string) => new StartRefused({ problems: [problem] })
