/** An API call as a plain value. Nothing happens until a client sends it. */
import { queryText } from "../call/Json.ts"
import type { ExecutionsCreated, WebhookMessageList } from "../wire/Integration.ts"

export type QueryValue = string | number | boolean | ReadonlyArray<string> | undefined

/** An API request, before it becomes an HTTP request. */
export interface ApiRequest {
  readonly method: "GET" | "POST" | "PATCH" | "PUT" | "DELETE"
  /** Below `/api/v1/integrations`, such as `/executions`. */
  readonly path: string
  /** A list repeats the parameter; undefined is left out. */
  readonly query?: { readonly [name: string]: QueryValue } | undefined
  /** Sent as JSON. */
  readonly body?: unknown
  /** The media type of the answer; JSON unless given. */
  readonly accept?: string | undefined
  /** Makes repeating a POST harmless. */
  readonly idempotencyKey?: string | undefined
  /**
   * Whether it may be sent again after an attempt whose outcome is unknown. Unless given: every method but POST and
   * PATCH, and whatever has an idempotency key.
   */
  readonly repeatable?: boolean | undefined
  /** How long the service was asked to wait, on top of an attempt's time-out; 0 unless given. */
  readonly waitMs?: number | undefined
}

/** The type of the answer's body, for the compiler only. */
declare const answered: unique symbol

/** A request with the type of its answer and the caller's options. */
export interface Request<out A, out Options = unknown> extends Omit<ApiRequest, "idempotencyKey"> {
  /** Null: the client makes one for the call. */
  readonly idempotencyKey?: string | null | undefined
  /** The execution that its errors name, in case the caller does not know it. */
  readonly executionId?: string | undefined
  readonly options?: Options | undefined
  readonly [answered]?: A
}

/**
 * Repeats a request until its answer is final. An unavailable service does not end the wait: only the caller or a
 * refusal does.
 */
export interface Wait<A, Options = unknown> {
  /** The name of the awaited object in errors. */
  readonly name: string
  readonly look: Request<A, Options>
  isOver(seen: A): boolean
}

/** A wait for the result of a first request. */
export interface MakeAndWait<Thing, A, Options = unknown> {
  readonly make: Request<Thing, Options>
  waitFor(thing: Thing): Wait<A, Options>
}

/** Items that one request brings, or several where some are refused for now. Each has a key, so none is done twice. */
export interface Batch<Item, Options = unknown> {
  readonly items: ReadonlyArray<Item>
  requestOf(items: ReadonlyArray<Item>): Request<ExecutionsCreated, Options>
}

/** The requests that read messages without an end. */
export interface Messages<Options = unknown> {
  readonly fetch: Request<WebhookMessageList, Options>
  acknowledge(ids: ReadonlyArray<string>): Request<unknown, Options>
}

/** What decides whether a request may be sent again. */
export type RetryFacts = Pick<Request<unknown>, "idempotencyKey" | "method" | "repeatable">

export const isRepeatable = ({ idempotencyKey, method, repeatable }: RetryFacts): boolean =>
  repeatable ?? (idempotencyKey !== undefined || !/^P(OS|ATC|$)/.test(method))

/** The whole URL, below the root of the API. */
export const urlOf = (root: string, { path, query = {} }: Pick<ApiRequest, "path" | "query">): string => {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue
    for (const each of Array.isArray(value) ? value : [value]) search.append(name, queryText(name, each))
  }
  const text = search.toString()
  const url = root + path + (text && `?${text}`)
  // `/../..` would carry the key out of the API.
  if (!new URL(url).href.startsWith(`${root}/`)) throw new TypeError("path must stay below the API's root")
  return url
}
