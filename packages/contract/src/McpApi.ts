/** The Model Context Protocol, by which language models run tasks: one endpoint, whose bodies that protocol defines. */
import { AgentId } from "@runhook/core/shared/Ids"
import { KnownJsonObject } from "@runhook/core/shared/json/Json"
import * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as Schema from "effect/Schema"
import { ApiKeyAuthorization } from "./Authorization.ts"
import { Conflict, Forbidden, NotFound } from "./Errors.ts"
import { RateLimiting, requestParsing, RequestRules } from "./RequestRules.ts"

export class McpEndpoints extends HttpApiGroup.make("mcp")
  .add(
    HttpApiEndpoint.post("receive", "/mcp", {
      query: { agent_id: Schema.optionalKey(AgentId) },
      payload: KnownJsonObject,
      success: Schema.Json,
      error: [Conflict, Forbidden, NotFound]
    })
  )
  .middleware(RequestRules)
  .middleware(RateLimiting)
  .middleware(ApiKeyAuthorization) {}

export class McpApi extends HttpApi.make("mcp")
  .add(McpEndpoints)
  .annotate(HttpApi.QueryParseOptions, requestParsing) {}
