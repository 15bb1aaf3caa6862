/** One request on its way to its answer: what the steps of the pipeline have found out about it. */
import type { JsonIssue } from "@runhook/core/shared/json/JsonText"
import * as Context from "effect/Context"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import type { HttpServerResponse } from "effect/http/HttpServerResponse"
import type * as Scope from "effect/Scope"
import type { Authenticated } from "../authentication/Authenticated.ts"
import type { Allowed } from "../limits/RateLimited.ts"
import type { Owner, ResponseBudget } from "../limits/ResponseBudget.ts"
import { ResponseShare } from "../limits/ResponseShare.ts"

/** The parts of a URL as text, as a route has found them. */
export interface UrlParts {
  readonly params: Readonly<Record<string, string | undefined>>
  readonly search: Readonly<Record<string, string | Array<string>>>
}

export class Call {
  readonly id: string
  readonly request: HttpServerRequest.HttpServerRequest
  /** When it came in, in epoch milliseconds. */
  readonly begunAt: number
  /** Ends when the answer was handed over, or the caller has gone. */
  readonly scope: Scope.Scope
  /** What its answer uses of the response budget. */
  readonly share: ResponseShare
  /** Null for routes that are not endpoints of an API. */
  endpoint: HttpApiEndpoint.Top | null = null
  url: UrlParts = { params: {}, search: {} }
  /** What is wrong with the text of items that are judged one by one. */
  itemIssues: ReadonlyArray<JsonIssue> = []
  /** Counts the items that the call brings. */
  items: (call: Call, count: number) => Allowed = uncounted
  /** Headers of the answer, whichever it will be. */
  readonly headers: Record<string, string> = {}
  #authenticated: Authenticated<unknown> | null = null
  #amendments: Array<(answer: HttpServerResponse) => HttpServerResponse> = []

  constructor(options: {
    readonly id: string
    readonly request: HttpServerRequest.HttpServerRequest
    readonly begunAt: number
    readonly scope: Scope.Scope
    readonly budget: ResponseBudget
  }) {
    this.id = options.id
    this.request = options.request
    this.begunAt = options.begunAt
    this.scope = options.scope
    this.share = new ResponseShare(options)
  }

  /** The caller; null until it is known, and for routes without authentication. */
  get authenticated(): Authenticated<unknown> | null {
    return this.#authenticated
  }

  /** The owner of the request; undefined until it is known. */
  get owner(): Owner | undefined {
    return this.#authenticated?.owner
  }

  /** Records the caller. */
  isOf(authenticated: Authenticated<unknown>): void {
    this.#authenticated = authenticated
    this.share.own(authenticated.owner)
  }

  /** Changes the answer, whichever it will be. */
  amend(amendment: (answer: HttpServerResponse) => HttpServerResponse): void {
    this.#amendments.push(amendment)
  }

  /** The answer with all its changes. */
  amended(answer: HttpServerResponse): HttpServerResponse {
    return this.#amendments.reduce((each, amendment) => amendment(each), answer)
  }
}

const uncounted = (_: Call, count: number): Allowed => ({ count, refusals: [] })

/** The request that is being answered. */
export const CurrentCall = Context.Reference<Call>("@runhook/http/CurrentCall", {
  defaultValue: () => {
    throw new Error("No request is being answered: provide Pipeline.layer to the routes")
  }
})
