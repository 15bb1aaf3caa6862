/** The integration and the runner API as a web handler, for every host that speaks `fetch`. */
import { IntegrationApi } from "@runhook/contract/IntegrationApi"
import { RunnerApi } from "@runhook/contract/RunnerApi"
import * as AuthorizationLayers from "@runhook/http/AuthorizationLayers"
import * as HostedFilesRoutes from "@runhook/http/HostedFilesRoutes"
import { AgentHandlers, TaskHandlers } from "@runhook/http/integration/CatalogHandlers"
import { ExecutionHandlers } from "@runhook/http/integration/ExecutionHandlers"
import { ReplayHandlers } from "@runhook/http/integration/ReplayHandlers"
import { WebhookHandlers } from "@runhook/http/integration/WebhookHandlers"
import * as RateLimitingLayer from "@runhook/http/RateLimitingLayer"
import * as RequestEnvelope from "@runhook/http/RequestEnvelope"
import * as RequestRulesLayer from "@runhook/http/RequestRulesLayer"
import { routerConfig } from "@runhook/http/Routing"
import { RunnerHandlers } from "@runhook/http/runner/RunnerHandlers"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServer from "effect/http/HttpServer"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import * as Layer from "effect/Layer"
import type { Engine } from "./Engine.ts"
import * as SessionAuthorization from "./SessionAuthorization.ts"
import type { Members } from "./Members.ts"

const integration = (members: Members) =>
  HttpApiBuilder.layer(IntegrationApi).pipe(
    Layer.provide([AgentHandlers, ExecutionHandlers, ReplayHandlers, TaskHandlers, WebhookHandlers]),
    Layer.provide(SessionAuthorization.layer(members))
  )

const runner = HttpApiBuilder.layer(RunnerApi).pipe(
  Layer.provide(RunnerHandlers),
  Layer.provide(AuthorizationLayers.layer)
)

/** Answers what comes to `/api/v1`. */
export const runhookRoutes = async (engine: Engine, members: Members) => {
  const services = await engine.context()
  return HttpRouter.toWebHandler(
    Layer.mergeAll(integration(members), runner, HostedFilesRoutes.layer).pipe(
      Layer.provide([RateLimitingLayer.layer(), RequestRulesLayer.layer]),
      Layer.provide([RequestEnvelope.layer, HttpServer.layerServices]),
      Layer.provide(Layer.succeedContext(services))
    ),
    { routerConfig, disableLogger: true }
  )
}
