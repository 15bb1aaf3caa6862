/** The secrets of development mode: made once, and kept in a file that only its owner reads. */
import type { SecureRandom } from "effect/crypto/SecureRandom"
import * as KeyRing from "@runhook/core/signing/KeyRing"
import { generate as generateKey } from "@runhook/core/signing/ApiKey"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as OwnerFile from "./OwnerFile.ts"
import { StartRefused } from "./StartRefused.ts"

export interface DevelopmentSecrets {
  readonly adminKey: Redacted.Redacted
  readonly secretKey: Redacted.Redacted
}

const SecretsFile = Schema.fromJsonString(
  Schema.Struct({ admin_key: Schema.NonEmptyString, secret_key: Schema.NonEmptyString })
)

const fileIn = (dataDir: string): OwnerFile.OwnerFile => ({ dataDir, name: "secrets.json" })

/** The secrets kept in the data directory, if there are any. */
export const find = Effect.fn("DevelopmentSecrets.find")(function* (dataDir: string) {
  const content = yield* OwnerFile.read(fileIn(dataDir))
  if (Option.isNone(content)) return Option.none<DevelopmentSecrets>()
  const path = yield* OwnerFile.pathOf(fileIn(dataDir))
  const kept = yield* Schema.decodeUnknownEffect(SecretsFile)(content.value).pipe(
    Effect.mapError(
      () =>
        new StartRefused({
          problems: [`${path} holds no development secrets: remove it, and new ones are made`]
        })
    )
  )
  return Option.some<DevelopmentSecrets>({
    adminKey: Redacted.make(kept.admin_key),
    secretKey: Redacted.make(kept.secret_key)
  })
})

/** The secrets kept in the data directory, and whether this call made them. */
export const findOrMake = Effect.fn("DevelopmentSecrets.findOrMake")(function* (dataDir: string) {
  const path = yield* OwnerFile.pathOf(fileIn(dataDir))
  const kept = yield* find(dataDir)
  if (Option.isSome(kept)) return { ...kept.value, isNew: false, path }
  const made = yield* make
  yield* OwnerFile.write(
    fileIn(dataDir),
    { admin_key: Redacted.value(made.adminKey), secret_key: Redacted.value(made.secretKey) },
    { flag: "wx" }
  )
  return { ...made, isNew: true, path }
})

const make: Effect.Effect<DevelopmentSecrets, never, SecureRandom> = Effect.gen(function* () {
  const { key } = yield* generateKey("admin")
  return { adminKey: Redacted.make(key), secretKey: Redacted.make(yield* KeyRing.generate) }
})
