/** What the OpenAPI documents share, and what the definitions alone cannot say. */
import * as Context from "effect/Context"
import * as Function from "effect/Function"
import * as HttpApi from "effect/http-api/HttpApi"
import * as OpenApi from "effect/http-api/OpenApi"
import type * as Schema from "effect/Schema"
import { ErrorBody } from "./Errors.ts"
import { describeHeaders } from "./openapi/answers/AnswerHeaders.ts"
import { describeAnswers } from "./openapi/answers/Answers.ts"
import { compilableTypes } from "./openapi/CompilableTypes.ts"
import { type Part, partOf } from "./openapi/Document.ts"
import { describeExamples } from "./openapi/Examples.ts"
import { openResponses } from "./openapi/answers/OpenResponses.ts"
import { describeRefusals } from "./openapi/answers/Refusals.ts"
import { describeRequests } from "./openapi/Requests.ts"
import { describeItself } from "./openapi/SelfDescription.ts"
import { requestParsing } from "./RequestRules.ts"

/** The release that the documents describe. The number in the APIs' paths, `/api/v1`, changes only with what callers may rely on. */
export const apiVersion = "0.1.0"

/** The annotations of one API: what its document says, and how its requests are read. */
export const documentation = (options: {
  readonly title: string
  readonly description: string
  /** Where the document is served. */
  readonly path: `/${string}`
  /** What the document names beside the bodies of its operations. */
  readonly schemas?: ReadonlyArray<Schema.Top>
  /** Adds to the finished document. */
  readonly extend?: (document: Part) => Part
}) =>
  Context.merge(
    OpenApi.annotations({
      title: options.title,
      version: apiVersion,
      description: options.description,
      license: { name: "MIT", url: "https://spdx.org/licenses/MIT.html" },
      servers: [{ url: "/", description: "The service that serves this document." }],
      transform: Function.flow(
        describeRequests,
        describeRefusals,
        describeItself(options.path),
        options.extend ?? Function.identity,
        describeHeaders,
        describeAnswers,
        describeExamples,
        openResponses,
        // `flow` takes nine functions at most.
        Function.flow(mergeConstraints, compilableTypes)
      )
    }),
    Context.empty().pipe(
      Context.add(HttpApi.AdditionalSchemas, [ErrorBody, ...(options.schemas ?? [])]),
      Context.add(HttpApi.ParamsParseOptions, requestParsing),
      Context.add(HttpApi.QueryParseOptions, requestParsing),
      Context.add(HttpApi.PayloadParseOptions, requestParsing)
    )
  )

/** Puts the rules of a value beside its type, where the definitions put them behind: generators take `allOf` for another type. */
const mergeConstraints = (document: Part): Part => partOf(merged(document))

const merged = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(merged)
  if (typeof value !== "object" || value === null) return value
  const { allOf, ...rest } = partOf(value)
  const rules: ReadonlyArray<unknown> = Array.isArray(allOf) ? allOf : []
  return Object.fromEntries(
    Object.entries(Object.assign({}, rest, ...rules)).map(([key, part]) => [key, merged(part)])
  )
}
