/**
 * What an endpoint says: in the OpenAPI document, and of the calls by which the SDKs reach it. Their calls, the tables
 * of calls, the commands and the Postman collection are made from it.
 */
import * as Context from "effect/Context"
import * as OpenApi from "effect/http-api/OpenApi"
import type * as Schema from "effect/Schema"

/**
 * `call`: one request. `list`: a list, page by page. `once`: under an idempotency key. `batch`: items with a key each.
 * `stream`: bytes or events as they arrive.
 */
export type CallKind = "batch" | "call" | "list" | "once" | "stream"

export interface Call {
  /** The nouns and the verb, such as `alerts.targets.create`; those of the group and the endpoint unless given. */
  readonly path?: string
  /** `list` where the query has a cursor, and otherwise `call`, unless given. */
  readonly kind?: CallKind
  /** In TypeScript. The client of the integration API is `runhook`, that of an account `account`, that of the service `admin`. */
  readonly example?: string
  /** In Python, for the calls that need one. */
  readonly python?: string
  /** What the call does, where the endpoint does more. */
  readonly says?: string
  /** When it fails, by the code of the error. */
  readonly fails?: Readonly<Record<string, string>>
  /** Whether a POST may be sent again after an attempt whose outcome is unknown. */
  readonly isRepeatable?: boolean
  /** The names of the ids in the path, where callers know them by others. */
  readonly params?: ReadonlyArray<string>
  /** What the call sets in the query or in the body. */
  readonly query?: Readonly<Record<string, boolean>>
  readonly body?: Readonly<Record<string, boolean>>
  /** The answers that it gets, where the endpoint has others as well. */
  readonly answers?: ReadonlyArray<Schema.Top>
  /** The media type of its answer; JSON unless given. */
  readonly accept?: string
}

/** The calls of an endpoint. */
export const Calls = Context.Reference<ReadonlyArray<Call>>("@runhook/contract/Calls", {
  defaultValue: () => [{}]
})

/** What the calls of an endpoint do; null: what its description says. */
export const CallDescription = Context.Reference<string | null>("@runhook/contract/CallDescription", {
  defaultValue: () => null
})

interface Operation extends Call {
  readonly summary?: string
  /** What concerns all callers. */
  readonly description?: string
  /** What only HTTP shows; the document has it after the description. */
  readonly overHttp?: string
  /** Further calls of the same endpoint. */
  readonly also?: ReadonlyArray<Call>
}

/** Annotates an endpoint with what is said of it: `.annotateMerge(operation({ … }))`. What is not given stays as it is. */
export const operation = ({ also = [], description, overHttp, summary, ...call }: Operation) => {
  const isCall = also.length > 0 || Object.keys(call).length > 0
  return Context.mergeAll(
    OpenApi.annotations({
      summary,
      description: overHttp === undefined ? description : `${description} ${overHttp}`
    }),
    overHttp === undefined ? Context.empty() : Context.make(CallDescription, description ?? null),
    isCall ? Context.make(Calls, [call, ...also]) : Context.empty()
  )
}
