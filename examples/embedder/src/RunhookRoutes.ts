/** The integration and the runner API as a web handler, for every host that speaks `fetch`. */
import { IntegrationApi } from "@runhook/contract/IntegrationApi"
import { RunnerApi } from "@runhook/contract/RunnerApi"
import * as HostedFilesRoutes from "@runhook/http/documents/HostedFilesRoutes"
import { AgentHandlers, TaskHandlers } from "@runhook/http/integration/CatalogHandlers"
import { ExecutionHandlers } from "@runhook/http/integration/ExecutionHandlers"
import { ReplayHandlers } from "@runhook/http/integration/ReplayHandlers"
import { WebhookHandlers } from "@runhook/http/integration/WebhookHandlers"
import { RunnerHandlers } from "@runhook/http/runner/RunnerHandlers"
import * as ApiRoutes from "@runhook/http/pipeline/ApiRoutes"
import { ApiKeyAuthenticator, RunnerAuthenticator } from "@runhook/http/authentication/Authenticator"
import * as Authenticators from "@runhook/http/authentication/Authenticators"
import * as Pipeline from "@runhook/http/pipeline/Pipeline"
import { routerConfig } from "@runhook/http/pipeline/RouteTable"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServer from "effect/http/HttpServer"
import * as Layer from "effect/Layer"
import type { Engine } from "./Engine.ts"
import * as SessionAuthorization from "./SessionAuthorization.ts"
import type { Members } from "./Members.ts"

const integration = (members: Members) =>
  ApiRoutes.layer(IntegrationApi, ApiKeyAuthenticator).pipe(
    Layer.provide([AgentHandlers, ExecutionHandlers, ReplayHandlers, TaskHandlers, WebhookHandlers]),
    Layer.provide(SessionAuthorization.layer(members))
  )

const runner = ApiRoutes.layer(RunnerApi, RunnerAuthenticator).pipe(
  Layer.provide(RunnerHandlers),
  Layer.provide(Authenticators.layer)
)

/** Answers what comes to `/api/v1`. */
export const runhookRoutes = async (engine: Engine, members: Members) => {
  const services = await engine.context()
  return HttpRouter.toWebHandler(
    Layer.mergeAll(integration(members), runner, HostedFilesRoutes.layer).pipe(
      Layer.provide([Pipeline.layer, HttpServer.layerServices]),
      Layer.provide(Layer.succeedContext(services))
    ),
    { routerConfig, disableLogger: true }
  )
}
