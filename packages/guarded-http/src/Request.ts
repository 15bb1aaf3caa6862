/** A request to a receiver. */
import type { Endpoint } from "@runhook/core/runtime/Endpoints"

export interface Request {
  readonly method: "GET" | "POST"
  /** The sender judges it. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
  /** Bytes of the answer's body to read. If it is longer, the connection is cut. */
  readonly bodyMax: number
}

/** A request as it is sent. */
export interface Outgoing {
  readonly endpoint: Endpoint
  readonly method: "GET" | "POST"
  /** All of them, including those of HTTP itself. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
  readonly bodyMax: number
}

/** The request to the endpoint that its URL names. */
export const outgoing = ({ body, bodyMax, headers, method }: Request, endpoint: Endpoint): Outgoing => ({
  endpoint,
  method,
  body,
  bodyMax,
  headers: {
    host: endpoint.host,
    connection: "keep-alive",
    ...headers,
    // A compressed body could grow without bounds when it is decompressed.
    "accept-encoding": "identity",
    ...(body !== null && { "content-length": String(Buffer.byteLength(body)) })
  }
})
