/**
 * API keys: `rhlive_<prefix>_<secret><checksum>`, in base62. The prefix is public
 * and finds the key, the secret has 256 bits, and the checksum refuses a mistyped
 * key without asking the store.
 */
import { createHmac, createSecretKey, type KeyObject } from "node:crypto"
import { crc32 } from "node:zlib"
import { SecureRandom } from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Base64Key from "./Base64Key.ts"
import { isEqualInConstantTime } from "./ConstantTime.ts"

const markers = { live: "rhlive", runner: "rhrun", admin: "rhadmin" } as const

/** Which API a key is for: integration, runner, admin. */
export type ApiKeyKind = keyof typeof markers

const prefixLength = 8
const secretLength = 43
const checksumLength = 6

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

/** What can be read from a key. */
export interface ParsedApiKey {
  readonly kind: ApiKeyKind
  readonly prefix: string
}

/** Makes a key, and the prefix that will find it. */
export const generate = Effect.fnUntraced(function* (kind: ApiKeyKind) {
  const prefix = yield* randomText(prefixLength)
  return { key: yield* regenerate({ kind, prefix }), prefix }
})

/** Makes a key with another secret under an existing prefix. */
export const regenerate = Effect.fnUntraced(function* ({ kind, prefix }: ParsedApiKey) {
  const unchecked = `${markers[kind]}_${prefix}_${yield* randomText(secretLength)}`
  return unchecked + checksum(unchecked)
})

/** Reads a key; undefined if the text cannot be one, so no store is asked for it. */
export const parse = (key: string): ParsedApiKey | undefined => {
  const [, marker, prefix] = shape.exec(key) ?? []
  const kind = kinds.find((each) => markers[each] === marker)
  if (kind === undefined || prefix === undefined) return undefined
  const unchecked = key.slice(0, -checksumLength)
  return key === unchecked + checksum(unchecked) ? { kind, prefix } : undefined
}

/** The key under which API keys are hashed. Without it the hashes cannot be tested against guesses. */
export type PepperKey = KeyObject

/** A new pepper, as text. */
export const generatePepper = Base64Key.generate

/** Reads a pepper; none if the text is not one. */
export const parsePepper = (text: string): Option.Option<PepperKey> =>
  Option.map(Base64Key.decode(text), (bytes) => createSecretKey(bytes))

/**
 * What is stored of a key: HMAC-SHA256 under the pepper, in hex. Takes any text,
 * such as an admin key that the operator chose.
 */
export const hash = (pepper: PepperKey, key: string): string =>
  createHmac("sha256", pepper).update(key).digest("hex")

/** Whether a presented key is the one that was hashed. */
export const matches = (options: {
  readonly pepper: PepperKey
  readonly key: string
  readonly hash: string
}): boolean => isEqualInConstantTime(hash(options.pepper, options.key), options.hash)

const kinds: ReadonlyArray<ApiKeyKind> = ["live", "runner", "admin"]

const shape = new RegExp(
  `^([a-z]+)_([0-9A-Za-z]{${prefixLength}})_[0-9A-Za-z]{${secretLength + checksumLength}}$`
)

const randomText = Effect.fnUntraced(function* (length: number) {
  const random = yield* SecureRandom
  const digits = yield* Effect.replicateEffect(random.intBetween(0, alphabet.length - 1), length)
  return digits.map((digit) => alphabet.charAt(digit)).join("")
})

const checksum = (text: string): string => {
  let rest = crc32(text)
  let digits = ""
  for (let position = 0; position < checksumLength; position++) {
    digits = alphabet.charAt(rest % alphabet.length) + digits
    rest = Math.floor(rest / alphabet.length)
  }
  return digits
}
