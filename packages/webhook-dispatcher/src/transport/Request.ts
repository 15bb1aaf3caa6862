/** What is asked of a receiver. */

export interface Request {
  readonly method: "GET" | "POST"
  /** Judged by whoever sends it. */
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
  /** Bytes of the answer's body to read. Where it is longer, the connection is cut. */
  readonly bodyMax: number
}

/** All headers of the request, those of HTTP itself included. */
export const headersOf = ({ body, headers, url }: Request): Readonly<Record<string, string>> => ({
  host: new URL(url).host,
  connection: "keep-alive",
  ...headers,
  // A compressed body could grow without bounds when it is opened.
  "accept-encoding": "identity",
  ...(body !== null && { "content-length": String(Buffer.byteLength(body)) })
})
