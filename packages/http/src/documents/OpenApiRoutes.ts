/** The OpenAPI document of an API, for anyone to read. */
import * as Effect from "effect/Effect"
import type * as HttpApi from "effect/http-api/HttpApi"
import type * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import * as HttpRouter from "effect/http/HttpRouter"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import { BaseUrl, rootOf } from "../BaseUrl.ts"
import { errorAnswer } from "../errors/ErrorAnswer.ts"
import { brokenRules } from "../errors/SchemaIssues.ts"
import { unreadParameters } from "../pipeline/request/QueryText.ts"
import { serveCached } from "./CachedDocument.ts"

/** Serves the document of the API at the path: `layer(IntegrationApi, "/api/v1/integrations/openapi.json")`. */
export const layer = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>,
  path: `/${string}`
) =>
  HttpRouter.use(
    Effect.fnUntraced(function* (router) {
      const baseUrl = yield* BaseUrl
      const answer = yield* serveCached({
        contentType: "application/json",
        text: Effect.sync(() => JSON.stringify(calledAt(rootOf(baseUrl), OpenApi.fromApi(api))))
      })
      yield* router.add("GET", path, (request: HttpServerRequest.HttpServerRequest) => {
        const unread = unreadParameters(request.url)
        return unread.length === 0 ? answer : errorAnswer({ status: 400, ...brokenRules(unread) })
      })
    })
  )

/** The document of an API whose paths are found below the URL, which may be relative to where the document is. */
export const calledAt = (
  url: string,
  { servers = [], ...document }: OpenApi.OpenAPISpec
): OpenApi.OpenAPISpec => ({ ...document, servers: servers.map((server) => ({ ...server, url })) })
