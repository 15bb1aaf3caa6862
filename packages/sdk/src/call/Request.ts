/** A request of the API, before it is one of HTTP. */

export type QueryValue = string | number | boolean | ReadonlyArray<string> | undefined

export interface ApiRequest {
  readonly method: "GET" | "POST" | "PATCH" | "PUT" | "DELETE"
  /** Below `/api/v1/integrations`, such as `/executions`. */
  readonly path: string
  /** A list is repeated; what is undefined is left out. */
  readonly query?: { readonly [name: string]: QueryValue } | undefined
  /** Sent as JSON. */
  readonly body?: unknown
  /** The media type of the answer; JSON unless given. */
  readonly accept?: string | undefined
  /** Makes repeating a POST harmless. */
  readonly idempotencyKey?: string | undefined
  /** Whether it may be sent again after an attempt of unknown outcome: any but POST and PATCH, and those with an idempotency key, unless given. */
  readonly repeatable?: boolean | undefined
  /** How long the service was asked to wait, on top of an attempt's time-out; 0 unless given. */
  readonly waitMs?: number | undefined
}

export const isRepeatable = ({ idempotencyKey, method, repeatable }: ApiRequest): boolean =>
  repeatable ?? (idempotencyKey !== undefined || !/^P(OS|ATC|$)/.test(method))

/** A path with these parts in it, so that none of them can lead elsewhere. */
export const pathOf = (texts: TemplateStringsArray, ...ids: ReadonlyArray<string>): string =>
  texts.reduce((path, text, index) => {
    const id = ids[index - 1]
    if (id === undefined || /^\.{0,2}$/.test(id))
      throw new TypeError("an id must not be empty or made of dots")
    return path + encodeURIComponent(id) + text
  })

/** The whole URL, below the root of the API. */
export const urlOf = (root: string, { path, query = {} }: ApiRequest): string => {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue
    for (const each of typeof value === "object" ? value : [value]) search.append(name, String(each))
  }
  const text = search.toString()
  const url = root + path + (text && `?${text}`)
  // `/../..` would carry the key out of the API.
  if (!new URL(url).href.startsWith(`${root}/`)) throw new TypeError("path must stay below the API's root")
  return url
}
