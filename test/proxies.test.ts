/** The proxies of `deploy` lead to all that the service answers, and pass it on as it comes. */
import { once } from "node:events"
import { createServer, type IncomingMessage, request as requestPlain, type ServerResponse } from "node:http"
import { request as requestByTls } from "node:https"
import { listen } from "@runhook/test-support/receivers/Listening"
import * as Effect from "effect/Effect"
import { assert, describe, it } from "vitest"
import { answeredPaths } from "../apps/server/test/AnsweredPaths.ts"
import { textOf } from "./deploy/Files.ts"
import { host, type Proxy, proxyFiles, startProxy } from "./deploy/Proxies.ts"

type Handler = (request: IncomingMessage, response: ServerResponse) => void

/** What comes of a proxy in front of a service; undefined where the proxy's program is not installed. */
const behind = async <A>(file: string, handler: Handler, look: (proxy: Proxy) => Promise<A>) => {
  await using service = await listen(createServer(handler))
  await using proxy = await startProxy(file, service.port)
  return proxy === null ? undefined : await look(proxy)
}

const called = ({ port, scheme }: Proxy, path: string, method = "GET") =>
  (scheme === "https" ? requestByTls : requestPlain)({
    host: "127.0.0.1",
    port,
    path,
    method,
    rejectUnauthorized: false,
    servername: host,
    headers: { host: `${host}:${port}`, "x-forwarded-for": "203.0.113.7" }
  })

const answerTo = (request: ReturnType<typeof called>) =>
  new Promise<IncomingMessage>((resolve, reject) => request.once("response", resolve).once("error", reject))

const answerOf = async (proxy: Proxy, path: string) => {
  const answer = await answerTo(called(proxy, path).end())
  let text = ""
  for await (const part of answer) text += part
  return { status: answer.statusCode, text }
}

/** Says what it was asked. */
const mirror: Handler = ({ headers, url }, response) => {
  response.end(`${url} ${headers["x-forwarded-for"]} ${headers.host}`)
}

describe.each(Object.keys(proxyFiles))("deploy/%s", (file) => {
  it("leads to every path of the service", async () => {
    const paths = (await Effect.runPromise(answeredPaths)).map((path) => path.replaceAll(/:\w+|\*/g, "1"))

    const answers = await behind(file, mirror, async (proxy) => {
      const given = []
      for (const path of paths) given.push(await answerOf(proxy, path))
      return given
    })

    const reached = answers?.map(({ text }) => text.split(" ")[0])
    assert.deepStrictEqual(reached ?? paths, paths)
  })

  it("hides metrics and probes, however they are written", async () => {
    const paths = ["/livez", "/metrics", "/readyz"].flatMap((path) =>
      ["", "/", "?x", ";x", "/x"].flatMap((end) => [
        path + end,
        path.replace("e", "%65") + end,
        `/${path}${end}`
      ])
    )

    const answers = await behind(file, mirror, async (proxy) => {
      const given = []
      for (const path of paths) given.push({ path, status: (await answerOf(proxy, path)).status })
      return given
    })

    assert.deepStrictEqual(answers?.filter(({ status }) => status !== 404) ?? [], [])
  })

  it("adds the caller's address as the last, and passes the host on", async () => {
    const answer = await behind(file, mirror, async (proxy) => ({
      text: (await answerOf(proxy, "/api")).text,
      expected: new RegExp(String.raw`^/api (?:203\.0\.113\.7, )?127\.0\.0\.1 ${host}:${proxy.port}$`)
    }))

    assert.match(answer?.text ?? "", answer?.expected ?? /^$/)
  })

  it("passes a stream on part by part, and ends the request when its caller has gone", async () => {
    const { promise: gone, resolve } = Promise.withResolvers<void>()
    const stream: Handler = (_, response) => {
      response.once("close", resolve).writeHead(200, { "content-type": "text/event-stream" }).write("first")
    }

    const part = await behind(file, stream, async (proxy) => {
      const request = called(proxy, "/api/stream").end()
      const answer = await answerTo(request)
      const [first] = await once(answer, "data")
      answer.once("error", () => undefined)
      request.destroy()
      await gone
      return String(first)
    })

    assert.strictEqual(part ?? "first", "first")
  })

  it("passes an upload on while it is being sent", async () => {
    const { promise: begun, resolve } = Promise.withResolvers<void>()
    const upload: Handler = (request, response) => {
      request.once("data", () => resolve()).once("end", () => response.end("taken"))
    }

    const status = await behind(file, upload, async (proxy) => {
      const request = called(proxy, "/storage", "PUT")
      request.write("first")
      await begun
      return (await answerTo(request.end("second"))).statusCode
    })

    assert.strictEqual(status ?? 200, 200)
  })
})

describe("every proxy", () => {
  it.each(["nginx.conf", "nginx-tls.conf"])(
    "that is nginx hides what begins like metrics or a probe: %s",
    (file) => {
      const hidden = [...textOf(`deploy/${file}`).matchAll(/location \^~ (\S+) \{\s+return 404;/g)]

      assert.deepStrictEqual(
        hidden.map(([, path]) => path),
        ["/livez", "/metrics", "/readyz"]
      )
    }
  )

  it("that is Caddy does so too", () => {
    assert.include(textOf("deploy/Caddyfile"), "path /livez* /metrics* /readyz*\n\trespond @inside 404")
  })
})

describe("Compose", () => {
  it("has one port for callers, which is that of the proxy", () => {
    const nginx = /^ {2}nginx:\n((?: {4}.*\n)+)/m.exec(textOf("deploy/compose.yaml"))?.[1] ?? ""

    assert.include(nginx, `volumes: ["./nginx.conf:/etc/nginx/nginx.conf:ro"]`)
    assert.include(nginx, `ports: ["127.0.0.1:8700:8080"]`)
    assert.notMatch(textOf("deploy/compose.yaml"), /^ {2}(?:api|dispatcher):\n(?: {4}.*\n)*? {4}ports:/m)
    assert.include(textOf("deploy/nginx.conf"), "listen 8080;")
  })
})
