/** Messages of JSON-RPC 2.0. */
import { isJsonObject, type Json, type JsonObject } from "@runhook/core/domain/json/Json"

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

const isId = (id: unknown): id is MessageId => typeof id === "string" || Number.isSafeInteger(id)

/** Undefined if it is no message. */
export const messageOf = (body: JsonObject): Message | undefined => {
  const { id, jsonrpc, method, params = {}, result = null } = body
  if (jsonrpc !== "2.0" || !isJsonObject(params)) return undefined
  if (typeof method === "string") {
    if (id === undefined) return { kind: "notification", method, params }
    return isId(id) ? { kind: "request", id, method, params } : undefined
  }
  return isId(id) && ("result" in body || "error" in body) ? { kind: "response", id, result } : undefined
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
