/** Requests as routes read them, and what routes answer. */
import { brokenRules, type Issue, Refused } from "./Refused.ts"
import { exact, inOrder, type JsonLike, type Rule } from "./Rules.ts"
import type { World } from "./World.ts"

/** A request that has found its route. */
export interface Asked {
  readonly world: World
  readonly requestId: string
  readonly headers: Headers
  /** The parts of the path that the route names, lower case. */
  readonly params: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  /** The text of the body; empty when there was none. */
  readonly text: string
  readonly signal: AbortSignal
}

/** A body to be sent as JSON with the request's id, or an answer that is ready. */
export type Answer = { readonly status?: number; readonly body: object } | Response

export type Route = (asked: Asked) => Answer | Promise<Answer>

/** Refuses a query that breaks a rule. Fields of these names may be repeated. */
export const checkQuery = (
  query: URLSearchParams,
  rule: Rule,
  repeated: ReadonlyArray<string> = []
): void => {
  const given = Object.fromEntries(
    [...new Set(query.keys())].map((name) => [
      name,
      repeated.includes(name) ? query.getAll(name) : query.get(name)
    ])
  )
  refuseIf(400, rule(given, ["query"]))
}

/** The body, or a refusal with this status. */
export const bodyOf = ({ headers, text }: Asked, rule: Rule, status = 400): JsonLike => {
  if (!/^application\/json\b/i.test(headers.get("content-type") ?? "")) {
    throw new Refused({
      status: 415,
      code: "invalid_request",
      message: "Content-Type: must be application/json"
    })
  }
  const body = parsed(text)
  refuseIf(status, inOrder(exact, rule)(body, ["body"]))
  return body
}

const parsed = (text: string) => {
  try {
    return JSON.parse(text)
  } catch {
    throw brokenRules(400, [{ path: ["body"], message: "must be valid JSON" }])
  }
}

const refuseIf = (status: number, issues: ReadonlyArray<Issue>): void => {
  if (issues.length > 0) throw brokenRules(status, issues)
}

/** One page of a list, newest first, from where the query's cursor leads. */
export const pageOf = <Item extends { readonly id: string }>(
  items: Iterable<Item>,
  query: URLSearchParams
): { readonly data: ReadonlyArray<Item>; readonly next_cursor: string | null } => {
  const after = opened(query.get("cursor"))
  const limit = Number(query.get("limit") ?? 50)
  const rest = [...items]
    .filter(({ id }) => after === undefined || id < after)
    .toSorted((one, other) => (one.id < other.id ? 1 : -1))
  const data = rest.slice(0, limit)
  const last = data.at(-1)
  return { data, next_cursor: rest.length > limit && last !== undefined ? sealed(last.id) : null }
}

const sealed = (id: string): string =>
  btoa(`1.${id}`).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "")

const opened = (cursor: string | null): string | undefined =>
  cursor === null ? undefined : atob(cursor.replaceAll("-", "+").replaceAll("_", "/")).slice(2)
