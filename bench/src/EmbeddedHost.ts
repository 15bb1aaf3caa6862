/**
 * The engine in a host of one's own, which answers the integration API in fetch
 * form, with keys of the service. Takes `DATABASE_URL` and `FILES_DIR`; makes
 * an account, and prints in one line its URL, a key, and whom the key may ask for.
 */
import { randomBytes } from "node:crypto"
import { Accounts } from "@runhook/core/usecases/Accounts"
import { Agents } from "@runhook/core/usecases/Agents"
import { ApiKeys } from "@runhook/core/usecases/ApiKeys"
import { Tasks } from "@runhook/core/usecases/Tasks"
import { startEngine } from "@runhook/example-embedder/src/Engine.ts"
import * as Apis from "@runhook/http/Apis"
import * as Authenticators from "@runhook/http/authentication/Authenticators"
import { defaultRateLimits, RateLimits } from "@runhook/http/limits/RateLimits"
import * as Pipeline from "@runhook/http/pipeline/Pipeline"
import { routerConfig } from "@runhook/http/pipeline/RouteTable"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServer from "effect/http/HttpServer"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { serveFetch } from "./FetchServer.ts"

const engine = startEngine({
  databaseUrl: process.env["DATABASE_URL"] ?? "",
  secretKey: randomBytes(32).toString("base64"),
  baseUrl: "http://127.0.0.1",
  filesDirectory: process.env["FILES_DIR"] ?? "",
  callbackAllow: "127.0.0.0/8",
  // More than any measurement makes.
  accountMaxLive: 10_000_000,
  retention: { delivered: Duration.days(30), dead: Duration.days(90) }
})

/** An account, and a key of it. */
const tenant = Effect.gen(function* () {
  const { id: accountId } = yield* (yield* Accounts).create("Bench")
  const { agent } = yield* (yield* Agents).create({
    accountId,
    name: "Press",
    description: "",
    labels: {},
    capacity: 1
  })
  const tasks = yield* Tasks
  const { task } = yield* tasks.create({
    accountId,
    slug: "print",
    name: "Print",
    description: "",
    platforms: [],
    timeoutSeconds: 300,
    maxAttempts: 1
  })
  yield* tasks.publish(
    { accountId, taskId: task.id },
    {
      paramsSchema: { type: "object", properties: { copies: { type: "integer" } } },
      resultSchema: null,
      tags: [],
      makeCurrent: true
    }
  )
  const { key } = yield* (yield* ApiKeys).create({
    accountId,
    name: "Back office",
    allowedTaskIds: null,
    allowedAgentIds: null,
    capabilities: null,
    maxLive: null,
    // Lifts the limits of its account too.
    rateLimit: { perSecond: 100_000, burst: 1_000_000 },
    expiresAt: null
  })
  return { agentId: agent.id, taskId: task.id, key: Redacted.value(key) }
})

const made = await engine.runPromise(tenant)
const services = await engine.context()
const { handler } = HttpRouter.toWebHandler(
  Apis.integration.pipe(
    Layer.provide([Authenticators.layer, Pipeline.layer, HttpServer.layerServices]),
    Layer.provide(Layer.succeed(RateLimits, { ...defaultRateLimits, integration: null })),
    Layer.provide(Layer.succeedContext(services))
  ),
  { routerConfig, disableLogger: true }
)

console.log(`ready: ${JSON.stringify({ ...made, url: await serveFetch((request) => handler(request)) })}`)
process.once("SIGTERM", () => void engine.dispose().then(() => process.exit()))
