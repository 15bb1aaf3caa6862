/**
 * The secret with which `runhook listen` signs what it passes on: the same at every start, so that a receiver goes on
 * verifying. Each key and each account has its own.
 */
import { generate, parse, type SigningKeys } from "@runhook/core/signing/SigningSecret"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { given } from "../config.ts"
import { CommandFailed } from "../logging/Reporting.ts"
import { printError } from "../output/Writer.ts"
import * as OwnerFile from "../settings/OwnerFile.ts"

export interface ListenSecret {
  readonly text: string
  readonly keys: SigningKeys
}

const secretIn = (text: string) => Result.map(parse(text), (keys): ListenSecret => ({ text, keys }))

/** The secret that `--secret` names. Never quotes it. */
export const givenSecret = (option: string): Result.Result<ListenSecret, CommandFailed> =>
  Result.mapError(
    secretIn(option.trim()),
    ({ message }) => new CommandFailed({ reason: `--secret is wrong: ${message}`, exitCode: 2 })
  )

/** The secret of the key or account with this id. The first start makes it. */
export const keptSecret = Effect.fnUntraced(function* (ownerId: string) {
  const { dataDir } = yield* given
  const file: OwnerFile.OwnerFile = { dataDir, name: `listen-${ownerId}.json` }
  const kept = yield* find(file)
  if (Option.isSome(kept)) return kept.value
  const made = yield* generate.pipe(
    Effect.provide(SecureRandom.layerWebCrypto),
    Effect.flatMap((text) => Effect.fromResult(secretIn(text))),
    Effect.orDie
  )
  yield* OwnerFile.writeNew(file, { signing_secret: made.text }).pipe(
    Effect.catch(({ message }) => printError(`${message}. Until then, each start signs with another secret`))
  )
  // Where two start at once, both sign with the secret of the first.
  return Option.getOrElse(yield* find(file), () => made)
})

const SecretFile = Schema.fromJsonString(Schema.Struct({ signing_secret: Schema.String }))

const find = Effect.fnUntraced(function* (file: OwnerFile.OwnerFile) {
  const path = yield* OwnerFile.pathOf(file)
  const unusable = (reason: string) =>
    new CommandFailed({ reason: `${path} ${reason}, or name a secret with --secret` })
  const content = yield* Effect.mapError(OwnerFile.read(file), (reason) =>
    unusable(`cannot be read: ${reason}; make it readable`)
  )
  if (Option.isNone(content)) return Option.none<ListenSecret>()
  if (yield* OwnerFile.isOpenToOthers(file)) {
    yield* printError(`Others on this machine can read the signing secret in ${path}: chmod 600 that file`)
  }
  const secret = Result.flatMap(Schema.decodeUnknownResult(SecretFile)(content.value), ({ signing_secret }) =>
    secretIn(signing_secret)
  )
  return Option.some(
    yield* Effect.mapError(Effect.fromResult(secret), () =>
      unusable("holds no signing secret: remove it to get a new one")
    )
  )
})
