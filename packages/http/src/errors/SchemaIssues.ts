/** Says which fields of a request break which rules, without repeating a value. */
import { InvalidRequest, Unprocessable } from "@runhook/contract/Errors"
import { CurrentRequestId } from "@runhook/contract/RequestId"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as SchemaAST from "effect/SchemaAST"
import * as SchemaIssue from "effect/SchemaIssue"

/** One broken rule. */
export interface FieldIssue {
  /** Where: `body`, `query`, `path` or `headers`, then the field. */
  readonly path: ReadonlyArray<string>
  /** The rule in words. */
  readonly message: string
}

/** The most issues that one answer lists. */
const issuesMax = 50

/** Field names are the caller's own text: longer ones are cut. In characters. */
const nameLengthMax = 100

/** What a schema found wrong in one part of a request. */
export const issuesIn = (part: string, issue: SchemaIssue.Issue): ReadonlyArray<FieldIssue> =>
  issuesOf(part, format(withLeaves(issue)).issues)

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

/** The issues in an error: all of them in its details, the first in its message. */
export const brokenRules = (issues: ReadonlyArray<FieldIssue>) => ({
  message: issues.slice(0, 1).map(sentence).join("") + others(issues.length - 1),
  details: { issues: issues.map(({ path, message }) => ({ path: [...path], message })) }
})

const sentence = ({ path, message }: FieldIssue): string => `${path.join(".")}: ${message}`

const others = (count: number): string => (count > 0 ? ` (and ${count} more)` : "")

const nameOf = (segment: PropertyKey | { readonly key: PropertyKey }): string =>
  String(typeof segment === "object" ? segment.key : segment).slice(0, nameLengthMax)

/** With a leaf for each union that takes no value of this kind: the formatter names the schemas of unions. */
const withLeaves = (issue: SchemaIssue.Issue): SchemaIssue.Issue => {
  switch (issue._tag) {
    case "AnyOf":
      return issue.issues.length === 0 ? new SchemaIssue.InvalidType(issue.ast) : issue
    case "Composite":
      return new SchemaIssue.Composite(issue.ast, Arr.map(issue.issues, withLeaves))
    case "Pointer":
      return new SchemaIssue.Pointer(issue.path, withLeaves(issue.issue))
    case "Encoding":
      return new SchemaIssue.Encoding(issue.ast, withLeaves(issue.issue))
    default:
      return issue
  }
}

/** The kind of a value, in words of JSON: a caller does not know the names of our schemas. */
const kindOf = (ast: SchemaAST.AST): string => {
  if (SchemaAST.isUnion(ast)) return [...new Set(ast.types.map(kindOf))].join(" | ")
  if (SchemaAST.isLiteral(ast)) return JSON.stringify(ast.literal)
  if (SchemaAST.isObjects(ast)) return "object"
  if (SchemaAST.isArrays(ast)) return "array"
  if (SchemaAST.isDeclaration(ast)) return String(ast.annotations?.["expected"] ?? "value")
  return ast._tag.toLowerCase()
}

const format = SchemaIssue.makeFormatterStandardSchemaV1({
  leafHook: (issue) => {
    if (issue._tag === "MissingKey") return "is required"
    if (issue._tag === "UnexpectedKey") return "is not a known field"
    const said = SchemaIssue.defaultLeafHook(issue)
    return issue._tag === "InvalidType" && said.startsWith("Expected ")
      ? `Expected ${kindOf(SchemaAST.toEncoded(issue.ast))}`
      : said
  }
})
