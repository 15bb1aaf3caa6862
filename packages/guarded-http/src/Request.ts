/** A request to a receiver. */
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
  /** As it was judged. */
  readonly url: URL
  readonly method: "GET" | "POST"
  /** All of them, including those of HTTP itself. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
  readonly bodyMax: number
}

/** The request to a URL that was checked. */
export const outgoing = ({ body, bodyMax, headers, method }: Request, url: URL): Outgoing => ({
  url,
  method,
  body,
  bodyMax,
  headers: {
    host: url.host,
    connection: "keep-alive",
    ...headers,
    // A compressed body could grow without bounds when it is decompressed.
    "accept-encoding": "identity",
    ...(body !== null && { "content-length": String(Buffer.byteLength(body)) })
  }
})
