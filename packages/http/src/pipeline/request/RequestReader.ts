/** Reads the parts of a request by the schemas of its endpoint, which are compiled once. */
import { BodyRuleStatus, JudgedByItem, KeyedByItem } from "@runhook/contract/RequestRules"
import type { JsonIssue } from "@runhook/core/shared/json/JsonText"
import { inexactNumbers, misreadKeys, withoutMisreadKeys } from "@runhook/core/shared/json/MisreadJson"
import * as Context from "effect/Context"
import * as HttpApi from "effect/http-api/HttpApi"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import type { Headers } from "effect/http/Headers"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SchemaAST from "effect/SchemaAST"
import { type FieldIssue, issuesIn, issuesOf } from "../../errors/SchemaIssues.ts"
import type { UrlParts } from "../Call.ts"
import { foreignCursor } from "../answer/ListMark.ts"
import { plainReader, unclear } from "./PlainReader.ts"
import { undecodableParameters, unreadParameters } from "./QueryText.ts"

/** The issues for which a request is refused. */
export interface Unreadable {
  readonly status: 400 | 422
  readonly issues: ReadonlyArray<FieldIssue>
}

/** What was sent: its URL and headers, and the text of its body if one is read. */
export interface Sent {
  readonly target: string
  readonly url: UrlParts
  readonly headers: Headers
  readonly body: string
}

/** What a handler is given. */
export interface Received {
  readonly parts: Readonly<Record<string, unknown>>
  /** What is wrong with items that are judged one by one, each issue with its path in the body. */
  readonly itemIssues: ReadonlyArray<JsonIssue>
}

type Read<In> = (sent: In) => Result.Result<unknown, Unreadable>

/** First checks the text, since schemas see only its values, and then reads the parts one after the other. */
export const readerOf = (
  annotations: HttpApi.Top["annotations"],
  endpoint: HttpApiEndpoint.Top
): ((sent: Sent) => Result.Result<Received, Unreadable>) => {
  const wrongParameters = endpoint.query === undefined ? unreadParameters : undecodableParameters
  const bodyStatus = Context.get(endpoint.annotations, BodyRuleStatus)
  const judgedByItem = Context.get(endpoint.annotations, JudgedByItem)
  const keyedByItem = Context.get(endpoint.annotations, KeyedByItem)
  const isOfItem = ({ path: [field = ""] }: JsonIssue) => judgedByItem.includes(field)
  const readParts = partsOf(annotations, endpoint)

  return (sent) => {
    const parameters = wrongParameters(sent.target)
    if (parameters.length > 0) return Result.fail({ status: 400, issues: parameters })
    // A batch that took no notice of it would make everything again when the request is repeated.
    if (keyedByItem && sent.headers["idempotency-key"] !== undefined)
      return Result.fail({ status: 400, issues: [keyOfMany] })
    const keys = misreadKeys(sent.body)
    const readable = keys.length === 0 ? sent : { ...sent, body: withoutMisreadKeys(sent.body) }
    const misread = [...keys, ...inexactNumbers(readable.body)]
    const ofBody = misread.filter((issue) => !isOfItem(issue))
    if (ofBody.length > 0) return Result.fail({ status: bodyStatus, issues: issuesOf("body", ofBody) })
    const parts: Record<string, unknown> = {}
    for (const [name, read] of readParts) {
      const part = read(readable)
      if (Result.isFailure(part)) return Result.fail(part.failure)
      parts[name] = part.success
    }
    const cursors = foreignCursor(endpoint, sent.url)
    if (cursors.length > 0) return Result.fail({ status: 400, issues: cursors })
    return Result.succeed({ parts, itemIssues: misread })
  }
}

const keyOfMany: FieldIssue = {
  path: ["headers", "idempotency-key"],
  message: "is not for many executions: give each item an idempotency_key"
}

/** A reader for each part of the endpoint, in the order in which their errors are reported. */
const partsOf = (
  annotations: HttpApi.Top["annotations"],
  endpoint: HttpApiEndpoint.Top
): ReadonlyArray<readonly [name: string, read: Read<Sent>]> => {
  const { headers, params, query } = endpoint
  const parts: Array<readonly [string, Read<Sent>]> = []
  if (params !== undefined) {
    const read = reading("path", params, Context.getOrUndefined(annotations, HttpApi.ParamsParseOptions))
    parts.push(["params", ({ url }) => read(url.params)])
  }
  if (headers !== undefined) {
    const read = reading("headers", headers, Context.getOrUndefined(annotations, HttpApi.HeadersParseOptions))
    parts.push(["headers", (sent) => read(sent.headers)])
  }
  if (query !== undefined) {
    const options = Context.getOrUndefined(annotations, HttpApi.QueryParseOptions)
    const read = reading("query", Schema.toCodecArrayFromSingle(query), options)
    const singles = singlesOf(SchemaAST.toEncoded(query.ast))
    parts.push([
      "query",
      ({ url }) => {
        const repeated = singles.filter((name) => Array.isArray(url.search[name]))
        return repeated.length > 0
          ? Result.fail({ status: 400, issues: repeated.map(isRepeated) })
          : Result.mapError(read(url.search), (refused) => ({
              ...refused,
              issues: refused.issues.map((issue) => withPlus(issue, url.search))
            }))
      }
    ])
  }
  if (endpoint.payload.size > 0) {
    const options = Context.getOrUndefined(annotations, HttpApi.PayloadParseOptions)
    parts.push(["payload", bodyReading(endpoint, options)])
  }
  return parts
}

/** A `+` in a query is a space, which callers overlook in the offset of a timestamp. */
const withPlus = ({ message, path }: FieldIssue, search: UrlParts["search"]): FieldIssue => {
  const value = search[path[1] ?? ""]
  const isOffset = typeof value === "string" && /T.* \d\d:\d\d$/u.test(value)
  return { path, message: isOffset ? `${message}. In a query, write %2B for +` : message }
}

/** The parameters of a query that are no lists, so each is given once at most. */
const singlesOf = (query: SchemaAST.AST): ReadonlyArray<string> =>
  SchemaAST.isObjects(query)
    ? query.propertySignatures.flatMap(({ name, type }) => (isList(type) ? [] : [String(name)]))
    : []

const isList = (type: SchemaAST.AST): boolean =>
  SchemaAST.isArrays(type) || (SchemaAST.isUnion(type) && type.types.some(isList))

const isRepeated = (name: string): FieldIssue => ({
  path: ["query", name],
  message: "is given more than once, and takes one value"
})

/** The path, headers and query of a request are malformed if they break a rule. */
const reading = (
  part: string,
  schema: Schema.Top,
  options: SchemaAST.ParseOptions | undefined,
  status: 400 | 422 = 400
): Read<unknown> => {
  const readPlainly = plainReader(schema.ast, options)
  const decode = Schema.decodeUnknownResult(codecOf(schema), options)
  return (value) => {
    const read = readPlainly(value)
    if (read !== unclear) return Result.succeed(read)
    return Result.mapError(decode(value), ({ issue }) => ({ status, issues: issuesIn(part, issue) }))
  }
}

const bodyReading = (
  { annotations, identifier, payload }: HttpApiEndpoint.Top,
  options: SchemaAST.ParseOptions | undefined
): Read<Sent> => {
  const [form] = payload.values()
  // In the contract, null stands for a body that was left out. A body that says `null` is another thing, and refused.
  const sent = form?.schemas.filter((each) => !SchemaAST.isNull(SchemaAST.toEncoded(each.ast))) ?? []
  const [schema, ...others] = sent
  if (form?.encoding._tag !== "Json" || payload.size > 1 || schema === undefined || others.length > 0) {
    throw new Error(`The endpoint ${identifier} takes another form of body than one of JSON`)
  }
  const isOptional = form.schemas.length > 1
  const read = reading("body", schema, options, Context.get(annotations, BodyRuleStatus))
  return ({ body }) => (body === "" && isOptional ? Result.succeed(null) : Result.flatMap(jsonOf(body), read))
}

const jsonOf = (text: string): Result.Result<unknown, Unreadable> => {
  try {
    return Result.succeed(JSON.parse(text))
  } catch {
    return Result.fail({ status: 400, issues: [{ path: ["body"], message: "must be valid JSON" }] })
  }
}

/** The contract's schemas need no services, which their widest type does not express. */
const codecOf = (schema: Schema.Top) => Schema.make<Schema.Codec<unknown>>(schema.ast)
