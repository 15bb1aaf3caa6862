/** Why a request is refused, as the service would say it. */
import type { Json } from "../wire/Integration.ts"

/** One broken rule of a request. */
export interface Issue {
  /** Where: `body`, `query`, `path` or `headers`, then the field. */
  readonly path: ReadonlyArray<string>
  readonly message: string
}

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

/** Thrown by a route, and answered as an error object. */
export class Refused extends Error {
  readonly refusal: Refusal

  constructor(refusal: Refusal) {
    super(refusal.message)
    this.refusal = refusal
  }
}

export const notFound = (): Refused =>
  new Refused({
    status: 404,
    code: "not_found",
    message: "There is no such thing, or it belongs to another account"
  })

/** A rule of the service that no single field breaks. */
export const unprocessable = (reason: string, message: string): Refused =>
  new Refused({ status: 422, code: "invalid_request", message, details: { reason } })

export const brokenRules = (status: number, issues: ReadonlyArray<Issue>): Refused => {
  const first = issues.slice(0, 1).map(({ message, path }) => `${path.join(".")}: ${message}`)
  const others = issues.length > 1 ? ` (and ${issues.length - 1} more)` : ""
  return new Refused({
    status,
    code: "invalid_request",
    message: first + others,
    details: { issues: issues.map(({ message, path }) => ({ path, message })) }
  })
}
