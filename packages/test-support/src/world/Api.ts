/** Requests to the APIs of a service, by hand. */

export interface Call {
  readonly key: string
  /** Below `/api/v1`. */
  readonly path: string
  readonly method?: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** Sends a request, and gives the answer as it comes. */
export type Send = (request: Request) => Promise<Response>

export const requestOf = (
  url: string,
  { body, headers, key, method = body === undefined ? "GET" : "POST", path }: Call
): Request =>
  new Request(`${url}/api/v1${path}`, {
    method,
    redirect: "manual",
    headers: {
      authorization: `Bearer ${key}`,
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...headers
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) })
  })

/** The APIs of the service at that URL. */
export const apiAt = (url: string, send: Send = fetch) => {
  const raw = (call: Call): Promise<Response> => send(requestOf(url, call))
  /** The body of a success; rejects with the status and the body of anything else. */
  const json = async <A = ReturnType<typeof JSON.parse>>(call: Call): Promise<A> => {
    const answer = await raw(call)
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${answer.status} ${call.path}: ${text}`)
    return JSON.parse(text)
  }
  return { raw, json }
}

export type Api = ReturnType<typeof apiAt>
