/** Says which fields of a request break which rules, without repeating a single value. */
import { InvalidRequest, Unprocessable } from "@runhook/contract/Errors"
import { CurrentRequestId } from "@runhook/contract/RequestId"
import * as Effect from "effect/Effect"
import type { HttpApiSchemaError } from "effect/http-api/HttpApiError"
import * as SchemaIssue from "effect/SchemaIssue"

/** One broken rule. */
export interface FieldIssue {
  /** Where: `body`, `query`, `path` or `headers`, then the field. */
  readonly path: ReadonlyArray<string>
  /** The rule in words. */
  readonly message: string
}

/** Most issues that one answer lists. */
const issuesMax = 50

/** Names of fields are the caller's own text: longer ones are cut. In characters. */
const nameLengthMax = 100

/** The parts of a request that are read, by the names callers know them under. */
const parts: { readonly [Kind in HttpApiSchemaError["kind"]]?: string } = {
  Headers: "headers",
  Params: "path",
  Payload: "body",
  Query: "query"
}

/** Empty when it is not the request that failed to decode, but our answer that failed to encode. */
export const fieldIssues = ({ cause, kind }: HttpApiSchemaError): ReadonlyArray<FieldIssue> => {
  const part = parts[kind]
  return part === undefined ? [] : issuesIn(part, cause.issue)
}

/** What a schema found wrong in one part of a request. */
export const issuesIn = (part: string, issue: SchemaIssue.Issue): ReadonlyArray<FieldIssue> =>
  issuesOf(part, format(issue).issues)

interface IssueWithin {
  readonly message: string
  readonly path?: ReadonlyArray<PropertyKey | { readonly key: PropertyKey }> | undefined
}

/** The issues within one part of a request. */
export const issuesOf = (part: string, issues: ReadonlyArray<IssueWithin>): ReadonlyArray<FieldIssue> =>
  issues.slice(0, issuesMax).map(({ message, path = [] }) => ({ path: [part, ...path.map(nameOf)], message }))

/** Refuses the request for these issues. */
export const refusal = Effect.fnUntraced(function* (status: 400 | 422, issues: ReadonlyArray<FieldIssue>) {
  const Refused = status === 422 ? Unprocessable : InvalidRequest
  return yield* new Refused({
    error: { code: "invalid_request", ...brokenRules(issues), request_id: yield* CurrentRequestId }
  })
})

/** The issues as an error shows them: in its details in full, in its message the first one. */
export const brokenRules = (issues: ReadonlyArray<FieldIssue>) => ({
  message: issues.slice(0, 1).map(sentence).join("") + others(issues.length - 1),
  details: { issues: issues.map(({ path, message }) => ({ path: [...path], message })) }
})

const sentence = ({ path, message }: FieldIssue): string => `${path.join(".")}: ${message}`

const others = (count: number): string => (count > 0 ? ` (and ${count} more)` : "")

const nameOf = (segment: PropertyKey | { readonly key: PropertyKey }): string =>
  String(typeof segment === "object" ? segment.key : segment).slice(0, nameLengthMax)

const format = SchemaIssue.makeFormatterStandardSchemaV1({
  leafHook: (issue) => {
    if (issue._tag === "MissingKey") return "is required"
    if (issue._tag === "UnexpectedKey") return "is not a known field"
    return SchemaIssue.defaultLeafHook(issue)
  }
})
