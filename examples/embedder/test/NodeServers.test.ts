/** The hosts on Node's own servers that docs/embedding shows, each with routes that stream. */
import { once } from "node:events"
import { createServer, request as open, type IncomingMessage, type RequestListener } from "node:http"
import { toNodeListener, type NodeListener } from "@runhook/http/NodeListener"
import * as Pipeline from "@runhook/http/pipeline/Pipeline"
import { RequestIds } from "@runhook/http/pipeline/RequestIds"
import { listen } from "@runhook/test-support/receivers/Listening"
import * as SecureRandom from "effect/crypto/SecureRandom"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import express from "express"
import Fastify from "fastify"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { onExpress } from "../src/OnExpress.ts"
import { onFastify } from "../src/OnFastify.ts"

const routes = Layer.mergeAll(
  HttpRouter.add("POST", "/api/v1/echo", ({ stream }) => Effect.succeed(HttpServerResponse.stream(stream)))
).pipe(
  Layer.provide(Pipeline.layer.pipe(Layer.provide(RequestIds.layer))),
  Layer.provide(SecureRandom.layerWebCrypto)
)

let runhook: NodeListener
beforeAll(async () => {
  runhook = await toNodeListener(routes)
})
afterAll(() => runhook.dispose())

const serve = (listener: RequestListener) => listen(createServer(listener))

const routing = async (app: ReturnType<typeof Fastify>): Promise<RequestListener> => {
  await app.ready()
  return app.routing
}

const hosts = [
  { name: "Express", path: "/api/v1/echo", hosted: async () => onExpress(runhook) },
  { name: "Fastify", path: "/api/v1/echo", hosted: () => routing(onFastify(runhook)) },
  { name: "node:http", path: "/api/v1/echo", hosted: async () => runhook.listener },
  {
    name: "Express, below a path of its own",
    path: "/runhook/api/v1/echo",
    hosted: async () => express().use("/runhook", runhook.listener)
  }
]

const behindParsers = [
  {
    name: "Express",
    hosted: async () => express().use(express.json()).all("/api/v1/{*path}", runhook.listener)
  },
  {
    name: "Fastify",
    hosted: () =>
      routing(
        Fastify().all("/api/v1/*", (request, reply) => {
          reply.hijack()
          runhook.listener(request.raw, reply.raw)
        })
      )
  }
]

const json = { "content-type": "application/json" }

describe("the API on Node's own servers", () => {
  it.each(hosts)("streams both ways on $name", async ({ hosted, path }) => {
    await using host = await serve(await hosted())
    const sent = open(host.origin + path, { method: "POST", headers: json })
    sent.write("one")

    const answer = await new Promise<IncomingMessage>((resolve) => sent.once("response", resolve))
    answer.setEncoding("utf8")
    const [first] = await once(answer, "data")
    sent.end("two")
    const [second] = await once(answer, "data")

    assert.strictEqual(answer.statusCode, 200)
    assert.match(String(answer.headers["x-request-id"]), /^req_/)
    assert.deepStrictEqual([first, second], ["one", "two"])
  })

  it.each(behindParsers)("says so behind a parser of bodies on $name", async ({ hosted }) => {
    await using host = await serve(await hosted())

    const answer = await fetch(`${host.origin}/api/v1/echo`, { method: "POST", headers: json, body: "{}" })

    assert.strictEqual(answer.status, 500)
    assert.match(await answer.text(), /Mount these routes before any parser of bodies/)
  })

  it("leaves other paths of Express and Fastify to the host, with its parsers", async () => {
    const app = onExpress(runhook).post("/mine", (request, response) => void response.json(request.body))
    const fastify = onFastify(runhook)
    fastify.post("/mine", (request, reply) => reply.send(request.body))

    for (const listener of [app, await routing(fastify)]) {
      await using host = await serve(listener)
      const answer = await fetch(`${host.origin}/mine`, { method: "POST", headers: json, body: `{"mine":1}` })
      assert.deepStrictEqual(await answer.json(), { mine: 1 })
    }
  })
})
