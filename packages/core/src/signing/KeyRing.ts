/**
 * The secrets of the service, all derived from one that the operator keeps. Several
 * may be given while one replaces another: the newest seals and signs, the older
 * ones only open what was sealed before.
 */
import { createSecretKey, hkdfSync, type KeyObject } from "node:crypto"
import * as Arr from "effect/Array"
import * as Hex from "effect/encoding/Hex"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as String from "effect/String"
import * as Base64Key from "./Base64Key.ts"
import { type EvidenceSigner, signerFrom } from "./EvidenceSigner.ts"

/** What one secret key is turned into. */
export interface Keys {
  /** Names the secret key without revealing it. */
  readonly id: string
  /** Seals signing secrets and the pepper at rest. */
  readonly sealing: KeyObject
  /** Signs the grants to upload and download files. */
  readonly fileGrant: KeyObject
  /** Signs evidence of executions. */
  readonly evidence: EvidenceSigner
  /** Authenticates backups. */
  readonly backup: KeyObject
}

/** Newest first. */
export type KeyRing = Arr.NonEmptyReadonlyArray<Keys>

/** The setting does not hold secret keys. */
export class KeyRingInvalid extends Schema.TaggedError<KeyRingInvalid>()("KeyRingInvalid", {
  /** Which of the keys is wrong, counted from 1. */
  position: Schema.Int,
  reason: Schema.Literals(["malformed", "repeated"])
}) {
  override get message() {
    return `Secret key ${this.position} ${explanations[this.reason]}`
  }
}

const explanations = {
  malformed: "is not the base64 of 32 bytes (44 characters); make one with: openssl rand -base64 32",
  repeated: "is there before"
}

/** A new secret key, for a machine that has none yet. */
export const generate = Base64Key.generate

/** Reads the secret key, or several separated by commas or lines, newest first. */
export const parse = (setting: string): Result.Result<KeyRing, KeyRingInvalid> => {
  const texts = String.split(setting.trim(), /\s*[,\n]\s*/)
  return Result.all(
    Arr.map(texts, (text, index) =>
      texts.indexOf(text) < index
        ? Result.fail(new KeyRingInvalid({ position: index + 1, reason: "repeated" }))
        : parseKey(text, index + 1)
    )
  )
}

const parseKey = (text: string, position: number): Result.Result<Keys, KeyRingInvalid> =>
  Option.match(Base64Key.decode(text), {
    onNone: () => Result.fail(new KeyRingInvalid({ position, reason: "malformed" })),
    onSome: (secret) => Result.succeed(derive(secret))
  })

const derive = (secret: Uint8Array): Keys => {
  const bytes = (purpose: string) => new Uint8Array(hkdfSync("sha256", secret, "runhook", purpose, 32))
  return {
    id: Hex.encode(bytes("key id")).slice(0, 16),
    sealing: createSecretKey(bytes("sealing")),
    fileGrant: createSecretKey(bytes("file grant")),
    evidence: signerFrom(bytes("evidence")),
    backup: createSecretKey(bytes("backup"))
  }
}
