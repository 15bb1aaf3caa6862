/** Refusals on demand, for errors that a test cannot provoke otherwise. */
import { randomUUID } from "node:crypto"
import type { Json } from "@runhook/sdk"

/** The answer of an error. */
export interface Refusal {
  readonly status: number
  readonly code: string
  readonly message: string
  /** Null unless given. */
  readonly details?: Json
  /** The `Retry-After` header; none unless given. */
  readonly retryAfterSeconds?: number
}

/** The error object, with its own request id. */
export const refusalAnswer = ({
  code,
  details = null,
  message,
  retryAfterSeconds,
  status
}: Refusal): Response => {
  const requestId = `req_${randomUUID().replaceAll("-", "").slice(0, 20)}`
  const headers = new Headers({ "x-request-id": requestId })
  if (retryAfterSeconds !== undefined) headers.set("retry-after", String(retryAfterSeconds))
  return Response.json({ error: { code, message, details, request_id: requestId } }, { status, headers })
}
