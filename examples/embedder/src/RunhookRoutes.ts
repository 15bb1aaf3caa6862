/** The integration and the runner API as a web handler, for every host that speaks `fetch`. */
import * as Apis from "@runhook/http/Apis"
import * as HostedFilesRoutes from "@runhook/http/documents/HostedFilesRoutes"
import * as Authenticators from "@runhook/http/authentication/Authenticators"
import * as Pipeline from "@runhook/http/pipeline/Pipeline"
import { routerConfig } from "@runhook/http/pipeline/RouteTable"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServer from "effect/http/HttpServer"
import * as Layer from "effect/Layer"
import type { Engine } from "./Engine.ts"
import * as SessionAuthorization from "./SessionAuthorization.ts"
import type { Members } from "./Members.ts"

/** Answers what comes to `/api/v1`. */
export const runhookRoutes = async (engine: Engine, members: Members) => {
  const services = await engine.context()
  return HttpRouter.toWebHandler(
    Layer.mergeAll(
      Apis.integration.pipe(Layer.provide(SessionAuthorization.layer(members))),
      Apis.runner.pipe(Layer.provide(Authenticators.layer)),
      HostedFilesRoutes.layer
    ).pipe(
      Layer.provide([Pipeline.layer, HttpServer.layerServices]),
      Layer.provide(Layer.succeedContext(services))
    ),
    { routerConfig, disableLogger: true }
  )
}
