/** The server on a port of this machine, with the routes of tests. */
import { assert } from "@effect/vitest"
import { hostedFilesPath } from "@runhook/core/artifacts/Artifact"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServer from "effect/http/HttpServer"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import * as NodeServer from "../src/NodeServer.ts"
import * as Health from "../src/probes/Health.ts"
import { draining, enveloped, keys, requestIds, testRoutes } from "./Hosts.ts"
import { Gates, makeGates } from "./TestApi.ts"

/** A server on a free port of this machine. */
export const makeServer = Effect.fnUntraced(function* (
  options: Partial<Parameters<typeof NodeServer.layer>[1]> = {}
) {
  const scope = yield* Effect.acquireRelease(Scope.make(), (each) => Scope.close(each, Exit.void))
  const gates = makeGates()
  const routes = Layer.mergeAll(testRoutes, Health.layer, endless(gates), flood(gates), upload).pipe(
    Layer.provide([enveloped, keys, Layer.succeed(Gates, gates)])
  )
  const services = yield* NodeServer.layer(routes, { host: "127.0.0.1", port: 0, ...options }).pipe(
    Layer.provideMerge(draining),
    Layer.provide(requestIds),
    Layer.buildWithScope(scope)
  )
  const url = HttpServer.formatAddress(Context.get(services, HttpServer.HttpServer).address)
  return {
    gates,
    port: Number(new URL(url).port),
    close: Scope.close(scope, Exit.void),
    send: (path: string, init: RequestInit = {}) => Effect.promise(() => fetch(`${url}${path}`, init))
  }
})

export const host = "Host: localhost\r\n"
export const json = "Content-Type: application/json\r\n"
export const last = "Connection: close\r\n"

/** The status and the error code of an answer as it came over the wire. */
export const errorIn = (answer: string) => {
  const [, status, id, code, bodyId] =
    /^HTTP\/1\.1 (\d+).*?x-request-id: (req_\w+).*?\r\n\r\n\{"error":\{"code":"(\w+)".*"request_id":"(req_\w+)"\}\}$/is.exec(
      answer
    ) ?? []
  assert.strictEqual(bodyId, id, answer)
  return { status: Number(status), code }
}

/** An answer that has begun and goes on until the gate opens. */
const endless = ({ entered, exit }: Gates) =>
  HttpRouter.add(
    "GET",
    "/endless",
    HttpServerResponse.stream(
      Stream.concat(
        Stream.fromEffect(Effect.succeed(new Uint8Array(1))),
        Stream.fromEffect(Effect.as(Effect.andThen(entered.open, exit.await), new Uint8Array(1)))
      )
    )
  )

/** An answer that goes on until its caller has gone, which opens the gate. */
const flood = ({ exit }: Gates) =>
  HttpRouter.add(
    "GET",
    "/flood",
    HttpServerResponse.stream(
      Stream.ensuring(Stream.forever(Stream.succeed(new Uint8Array(65_536))), exit.open)
    )
  )

/** Takes what is uploaded, and keeps nothing. */
const upload = HttpRouter.add("PUT", hostedFilesPath, ({ stream }) =>
  Effect.as(Effect.orDie(Stream.runDrain(stream)), HttpServerResponse.empty({ status: 204 }))
)
