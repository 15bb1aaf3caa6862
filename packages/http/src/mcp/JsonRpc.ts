/** Messages of JSON-RPC 2.0. */
import { isJsonObject, type Json, type JsonObject } from "@runhook/core/shared/json/Json"
import * as Result from "effect/Result"

export type MessageId = string | number

export interface Request {
  readonly id: MessageId
  readonly method: string
  readonly params: JsonObject
}

export type Message =
  | ({ readonly kind: "request" } & Request)
  | ({ readonly kind: "notification" } & Omit<Request, "id">)
  /** An answer to what this side has asked; its result is null if that failed. */
  | { readonly kind: "response"; readonly id: MessageId; readonly result: Json }

/** Every message about a request repeats its id or its progress token, so they are bounded. */
export const idLengthMax = 255

export const isId = (id: unknown): id is MessageId =>
  typeof id === "string" ? id.length <= idLengthMax : Number.isSafeInteger(id)

const idRule = `must be a text of at most ${idLengthMax} characters, or a whole number`

/** The message, or what keeps the body from being one. */
export const messageOf = (body: JsonObject): Result.Result<Message, string> => {
  const { id, jsonrpc, method, params = {}, result = null } = body
  const isAnswer = "result" in body || "error" in body
  if (jsonrpc !== "2.0" || !isJsonObject(params) || (typeof method !== "string" && !isAnswer)) {
    return Result.fail("The body must be one JSON-RPC 2.0 message")
  }
  const { _meta: meta } = params
  const token = isJsonObject(meta) ? (meta["progressToken"] ?? null) : null
  if (token !== null && !isId(token)) return Result.fail(`params._meta.progressToken: ${idRule}`)
  if (typeof method === "string" && id === undefined) {
    return Result.succeed({ kind: "notification", method, params })
  }
  if (!isId(id)) return Result.fail(`id: ${idRule}`)
  return Result.succeed(
    typeof method === "string" ? { kind: "request", id, method, params } : { kind: "response", id, result }
  )
}

export const request = (id: MessageId, method: string, params: JsonObject): JsonObject => ({
  jsonrpc: "2.0",
  id,
  method,
  params
})

export const notification = (method: string, params: JsonObject): JsonObject => ({
  jsonrpc: "2.0",
  method,
  params
})

export const resultOf = (id: MessageId, result: JsonObject): JsonObject => ({ jsonrpc: "2.0", id, result })

const codes = { invalidRequest: -32_600, methodNotFound: -32_601, invalidParams: -32_602, internal: -32_603 }

/** Why a request has no result. */
export const errorOf = (id: MessageId | null, reason: keyof typeof codes, message: string): JsonObject => ({
  jsonrpc: "2.0",
  id,
  error: { code: codes[reason], message }
})
