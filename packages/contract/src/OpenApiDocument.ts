/** What the OpenAPI documents share, and what the definitions alone cannot say. */
import * as Function from "effect/Function"
import * as OpenApi from "effect/http-api/OpenApi"
import { describeHeaders } from "./openapi/AnswerHeaders.ts"
import { describeEmptyAnswers, describeEventStreams } from "./openapi/Answers.ts"
import type { Part } from "./openapi/Document.ts"
import { describeExamples } from "./openapi/Examples.ts"
import { openResponses } from "./openapi/OpenResponses.ts"
import { describeRefusals } from "./openapi/Refusals.ts"
import { describeRequests } from "./openapi/Requests.ts"
import { describeItself } from "./openapi/SelfDescription.ts"

/** The version of the APIs; its first number is the one in their paths, `/api/v1`. */
export const apiVersion = "1.0.0"

/** The annotations of one API. */
export const documentation = (options: {
  readonly title: string
  readonly description: string
  /** Where the document is served. */
  readonly path: `/${string}`
  /** Adds to the finished document. */
  readonly extend?: (document: Part) => Part
}) =>
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
      describeEmptyAnswers,
      describeEventStreams,
      describeExamples,
      openResponses
    )
  })
