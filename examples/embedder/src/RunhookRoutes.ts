/** The integration and the runner API, as a web handler or as a listener of a Node server. */
import * as Apis from "@runhook/http/Apis"
import * as HostedFilesRoutes from "@runhook/http/documents/HostedFilesRoutes"
import { toNodeListener } from "@runhook/http/NodeListener"
import * as Authenticators from "@runhook/http/authentication/Authenticators"
import * as Pipeline from "@runhook/http/pipeline/Pipeline"
import { routerConfig } from "@runhook/http/pipeline/RouteTable"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServer from "effect/http/HttpServer"
import * as Layer from "effect/Layer"
import type { Engine } from "./Engine.ts"
import * as SessionAuthorization from "./SessionAuthorization.ts"
import type { Members } from "./Members.ts"

/** What is served below `/api/v1`. */
const routes = async (engine: Engine, members: Members) =>
  Layer.mergeAll(
    Apis.integration.pipe(Layer.provide(SessionAuthorization.layer(members))),
    Apis.runner.pipe(Layer.provide(Authenticators.layer)),
    HostedFilesRoutes.layer
  ).pipe(
    Layer.provide([Pipeline.layer, HttpServer.layerServices]),
    Layer.provide(Layer.succeedContext(await engine.context()))
  )

/** For hosts that speak `fetch`. */
export const runhookHandler = async (engine: Engine, members: Members) =>
  HttpRouter.toWebHandler(await routes(engine, members), { routerConfig, disableLogger: true })

/** For Node's own servers. */
export const runhookListener = async (engine: Engine, members: Members) =>
  toNodeListener(await routes(engine, members))
