/**
 * Short-lived grants that carry what they grant: a JSON object and its HMAC. Anyone
 * can read them, and only the service can make them. A token for one purpose is
 * worthless for another.
 */
import { createHmac, type KeyObject } from "node:crypto"
import type * as DateTime from "effect/DateTime"
import * as Base64Url from "effect/encoding/Base64Url"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type { JsonObject } from "../shared/json/Json.ts"
import { isEqualInConstantTime } from "./ConstantTime.ts"

/** The longest token that is read. */
export const tokenLengthMax = 4_096

const explanations = {
  malformed: "The token is malformed",
  forged: "The token was not issued here for this purpose",
  expired: "The token has expired"
} as const

/** The token grants nothing. */
export class TokenRejected extends Schema.TaggedError<TokenRejected>()("TokenRejected", {
  reason: Schema.Literals(["malformed", "forged", "expired"])
}) {
  override get message() {
    return explanations[this.reason]
  }
}

/** Makes a token: `<payload in base64url>.<HMAC-SHA256 in base64url>`. */
export const sign = (
  key: KeyObject,
  purpose: string,
  grant: { readonly payload: JsonObject; readonly expiresAt: DateTime.Utc }
): string => {
  const content = Base64Url.encode(JSON.stringify([grant.expiresAt.epochMilliseconds, grant.payload]))
  return `${content}.${mac(key, purpose, content)}`
}

/** The payload of a token that was made for this purpose and has not expired by `at`. */
export const verify = (
  key: KeyObject,
  purpose: string,
  { token, at }: { readonly token: string; readonly at: DateTime.Utc }
): Result.Result<JsonObject, TokenRejected> => {
  const [, content, signature] = (token.length <= tokenLengthMax && shape.exec(token)) || []
  if (content === undefined || signature === undefined) return reject("malformed")
  if (!isEqualInConstantTime(mac(key, purpose, content), signature)) return reject("forged")
  const grant = Option.getOrUndefined(decode(content))
  if (grant === undefined) return reject("malformed")
  const [expiresAt, payload] = grant
  return at.epochMilliseconds < expiresAt ? Result.succeed(payload) : reject("expired")
}

const reject = (reason: TokenRejected["reason"]) => Result.fail(new TokenRejected({ reason }))

const shape = /^([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]{43})$/

/** The null character keeps purpose and content apart: neither can contain it. */
const mac = (key: KeyObject, purpose: string, content: string): string =>
  createHmac("sha256", key).update(`${purpose}\u0000${content}`).digest("base64url")

const decode = (content: string) =>
  Option.flatMap(Result.getSuccess(Base64Url.decodeString(content)), decodeGrant)

const decodeGrant = Schema.decodeOption(Schema.fromJsonString(Schema.Tuple([Schema.Int, Schema.JsonObject])))
