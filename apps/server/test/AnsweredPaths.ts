/** The paths that a server answers for callers, runners, browsers and operators, as its own wiring adds them. */
import { createSecretKey } from "node:crypto"
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as MemoryArtifacts from "@runhook/artifacts/memory/MemoryArtifacts"
import { Draining } from "@runhook/core/engine/Draining"
import * as InProcessSignals from "@runhook/core/signals/InProcessSignals"
import { GuardedAgent } from "@runhook/guarded-http/GuardedAgent"
import { BaseUrl } from "@runhook/http/BaseUrl"
import { noting, Routes, RouteTable } from "@runhook/http/pipeline/RouteTable"
import * as InlineParamsValidator from "@runhook/params/InlineParamsValidator"
import * as MemoryStore from "@runhook/store-memory/MemoryStore"
import * as Context from "effect/Context"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import * as Layer from "effect/Layer"
import * as NameServers from "../src/network/NameServers.ts"
import { Readiness } from "../src/process/Readiness.ts"
import { api } from "../src/Server.ts"
import * as Secrets from "../src/settings/Secrets.ts"
import type { ServerSettings } from "../src/settings/ServerSettings.ts"
import { production, settingsOf } from "./settings/Settings.ts"

/** Endpoints of the APIs go into the table, all other routes into the router. */
class RecordedRoutes extends Routes {
  readonly paths = new Set<string>()
  override add(_method: string, path: string) {
    this.paths.add(path)
  }
}

const recorded = (routes: RecordedRoutes) =>
  Layer.effectContext(
    Effect.map(HttpRouter.HttpRouter, (router) =>
      Context.make(
        HttpRouter.HttpRouter,
        noting(router, ({ path }) => void routes.paths.add(path))
      ).pipe(Context.add(RouteTable, routes))
    )
  )

const baseUrl = "https://runhook.example.com"

const around = (settings: ServerSettings) =>
  Layer.mergeAll(
    Draining.layer,
    GuardedAgent.layer({ authorities: [], proxy: null }),
    InlineParamsValidator.layer,
    MemoryArtifacts.layer({ baseUrl, grantKey: createSecretKey(Buffer.alloc(32)) }),
    Readiness.layer,
    Secrets.layer(settings),
    Layer.succeed(BaseUrl, baseUrl)
  ).pipe(
    Layer.provideMerge(MemoryStore.layer),
    Layer.provideMerge([
      InProcessSignals.layer,
      NameServers.layer,
      NodeServices.layer,
      SecureRandom.layerWebCrypto
    ])
  )

export const answeredPaths = Effect.gen(function* () {
  const routes = new RecordedRoutes()
  const settings = yield* settingsOf({ ...production, RUNHOOK_STORE: "memory", RUNHOOK_BASE_URL: baseUrl })
  yield* HttpRouter.toHttpEffect(
    api(settings).pipe(Layer.provide([recorded(routes), around(settings)]))
  ).pipe(Effect.asVoid)
  return [...routes.paths].toSorted()
}).pipe(Effect.scoped)
