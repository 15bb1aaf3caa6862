/** The secrets of development mode: made once, and kept in a file that only its owner can read. */
import { generate as generateKey } from "@runhook/core/signing/ApiKey"
import * as KeyRing from "@runhook/core/signing/KeyRing"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { StartupProblems } from "../process/StartupProblems.ts"
import * as OwnerFile from "./OwnerFile.ts"

export interface DevelopmentSecrets {
  readonly adminKey: Redacted.Redacted
  /** Null in a file that was made while `RUNHOOK_SECRET_KEY` was set. */
  readonly keyRing: KeyRing.KeyRing | null
}

const SecretsFile = Schema.Struct({
  admin_key: Schema.NonEmptyString,
  secret_key: Schema.optionalKey(Schema.NonEmptyString)
})

const fileIn = (dataDir: string): OwnerFile.OwnerFile => ({ dataDir, name: "secrets.json" })

export const pathIn = (dataDir: string) => OwnerFile.pathOf(fileIn(dataDir))

/** Never advises to delete the file: another secret key could open nothing in the database. */
const remedy =
  "restore it from a backup, since all keys and signing secrets in the database are sealed with its secret_key"

/** The secrets in the data directory, if there are any. */
export const find = Effect.fn("DevelopmentSecrets.find")(function* (dataDir: string) {
  const path = yield* pathIn(dataDir)
  const broken = (reason: string) =>
    new StartupProblems({ problems: [`${path} cannot be used: ${reason}; ${remedy}`] })
  const content = yield* Effect.mapError(OwnerFile.read(fileIn(dataDir)), broken)
  if (Option.isNone(content)) return Option.none<DevelopmentSecrets>()
  return Option.some(yield* Effect.mapError(Effect.fromResult(parse(content.value)), broken))
})

/** The secrets in the text, or why there are none. Never quotes the text. */
const parse = (text: string): Result.Result<DevelopmentSecrets, string> => {
  if (text.trim() === "") return Result.fail("it is empty")
  const json = Schema.decodeResult(Schema.fromJsonString(Schema.Unknown))(text)
  if (Result.isFailure(json)) return Result.fail("it is not JSON")
  const kept = Schema.decodeUnknownResult(SecretsFile)(json.success)
  if (Result.isFailure(kept)) return Result.fail("it must hold an admin_key and a secret_key, both texts")
  const { admin_key, secret_key } = kept.success
  const ring = secret_key === undefined ? Result.succeed(null) : KeyRing.parse(secret_key)
  return Result.match(ring, {
    onFailure: () => Result.fail("its secret_key is not the base64 of 32 bytes"),
    onSuccess: (keyRing) => Result.succeed({ adminKey: Redacted.make(admin_key), keyRing })
  })
}

/**
 * Makes and keeps missing secrets: an admin key, and a secret key unless the settings have one, which the file must
 * not contradict later. If two processes do so at once, both get those of the first.
 */
export const make = Effect.fn("DevelopmentSecrets.make")(function* (
  dataDir: string,
  {
    isSecretKeySet,
    kept
  }: {
    readonly isSecretKeySet: boolean
    readonly kept: Option.Option<DevelopmentSecrets>
  }
) {
  const adminKey = Option.isSome(kept)
    ? Redacted.value(kept.value.adminKey)
    : (yield* generateKey("admin")).key
  const content = { admin_key: adminKey, ...(isSecretKeySet ? {} : { secret_key: yield* KeyRing.generate }) }
  if (Option.isSome(kept)) yield* OwnerFile.replace(fileIn(dataDir), content)
  else yield* OwnerFile.writeNew(fileIn(dataDir), content)
  return Option.getOrThrow(yield* find(dataDir))
})
