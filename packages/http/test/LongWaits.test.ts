/** Every request of the three APIs that waits, of somebody who may not call any more. */
import { assert, it } from "@effect/vitest"
import { AdminApi } from "@runhook/contract/AdminApi"
import { IntegrationApi } from "@runhook/contract/IntegrationApi"
import { type Part, partOf } from "@runhook/contract/openapi/Document"
import { RunnerApi } from "@runhook/contract/RunnerApi"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Queue from "effect/Queue"
import { makeBrowser } from "./Browser.ts"
import { errorOf } from "./Hosts.ts"
import { Host, test, Waiting } from "./Service.ts"
import { makeExecution, makeSession, makeTenant } from "./Tenant.ts"

const json = "application/json"
const partsOf = (list: unknown): ReadonlyArray<Part> => (Array.isArray(list) ? list.map(partOf) : [])

/** Whether an operation is told how long it may wait, or answers with a stream. */
const waitsOf = (operation: Part, schemas: Part): ReadonlyArray<"stream" | "wait"> => {
  const body = partOf(partOf(partOf(partOf(operation["requestBody"])["content"])[json])["schema"])
  const named = partOf(schemas[String(body["$ref"]).replace(/^.*\//, "")])
  const fields = [
    ...partsOf(operation["parameters"]).map(({ name }) => String(name)),
    ...Object.keys(partOf(named["properties"]))
  ]
  const answer = partOf(partOf(partOf(operation["responses"])["200"])["content"])
  return [
    ...(fields.some((name) => /^wait(?:_|$)/.test(name)) ? (["wait"] as const) : []),
    ...("text/event-stream" in answer ? (["stream"] as const) : [])
  ]
}

/** All waits that the contract knows. */
const waits = [
  OpenApi.fromApi(IntegrationApi),
  OpenApi.fromApi(RunnerApi),
  OpenApi.fromApi(AdminApi)
].flatMap(({ components, paths }) =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) =>
      waitsOf(partOf(operation), partOf(components.schemas)).map(
        (kind) => `${kind} ${method.toUpperCase()} ${path}`
      )
    )
  )
)

const messagesOf = ({ id }: { readonly id: string }) => `/webhooks/endpoints/${id}/messages?wait=30`

/** Somebody of each kind who may call, until each may not. */
const callers = Effect.gen(function* () {
  const tenant = yield* makeTenant()
  const { account, admin, integration, key, params, runnerKey } = tenant
  const { execution_id } = yield* makeExecution(tenant)
  const session = yield* makeSession(tenant)
  const browser = yield* makeBrowser(account.id, { role: "admin" })
  const host = yield* Host
  return {
    integration: {
      get: (path: string, accept: string) =>
        host(path, { headers: { authorization: `Bearer ${key.key}`, accept } }),
      end: admin.keys.revoke({ params: { ...params, key_id: key.id } })
    },
    runner: {
      post: (path: string, body: object) =>
        host(path, {
          method: "POST",
          headers: { authorization: `Bearer ${runnerKey.key}`, "content-type": json },
          body: JSON.stringify({ session_id: session.session_id, ...body })
        }),
      end: admin.runnerKeys.revoke({ params: { ...params, key_id: runnerKey.id } })
    },
    member: {
      get: (path: string, accept: string) =>
        browser.send(`/api/v1/admin/accounts/${account.id}${path}`, { headers: { accept } }),
      end: browser.send("/api/v1/admin/session", { method: "DELETE" })
    },
    inbox: {
      ofKey: messagesOf(yield* integration.endpoints.create({ params: {}, payload: { kind: "poll" } })),
      ofAccount: messagesOf(yield* admin.endpoints.create({ params, payload: { kind: "poll" } }))
    },
    execution: `/executions/${execution_id}`
  }
})

type Callers = Effect.Success<typeof callers>

interface Begun {
  readonly asking: Effect.Effect<Response>
  /** Makes the caller somebody who may not call. */
  readonly end: Effect.Effect<unknown, unknown>
}

const events = "text/event-stream"

const integration =
  (path: string, accept = json) =>
  ({ execution, integration: { end, get } }: Callers): Begun => ({
    asking: get(`/api/v1/integrations${execution}${path}`, accept),
    end
  })
const member =
  (path: string, accept = json) =>
  ({ execution, member: { end, get } }: Callers): Begun => ({
    asking: get(path.replace("/execution", execution), accept),
    end
  })

/** How each of them is begun. A wait that is not here is new: begin it, and see its caller put out. */
const begins: { readonly [wait: string]: (callers: Callers) => Begun } = {
  "wait GET /api/v1/integrations/executions/{id}": integration("?wait=30"),
  "wait GET /api/v1/integrations/executions/{id}/events": integration("/events?after=1&wait=30"),
  "wait GET /api/v1/integrations/webhooks/endpoints/{id}/messages": ({
    inbox,
    integration: { end, get }
  }) => ({
    asking: get(`/api/v1/integrations${inbox.ofKey}`, json),
    end
  }),
  "wait GET /api/v1/admin/accounts/{account_id}/webhooks/endpoints/{id}/messages": ({
    inbox,
    member: { end, get }
  }) => ({ asking: get(inbox.ofAccount, json), end }),
  "wait POST /api/v1/runner/claims": ({ runner: { end, post } }) => ({
    asking: post("/api/v1/runner/claims", { claim_id: "parked", free_slots: 0, wait_ms: 30_000 }),
    end
  }),
  "wait GET /api/v1/admin/accounts/{account_id}/executions/{id}": member("/execution?wait=30"),
  "wait GET /api/v1/admin/accounts/{account_id}/executions/{id}/events": member(
    "/execution/events?after=1&wait=30"
  ),
  "wait GET /api/v1/integrations/executions/{id}/logs": integration("/logs?wait=30"),
  "wait GET /api/v1/admin/accounts/{account_id}/executions/{id}/logs": member("/execution/logs?wait=30"),
  "stream GET /api/v1/integrations/executions/{id}/logs": integration("/logs", events),
  "stream GET /api/v1/admin/accounts/{account_id}/executions/{id}/logs": member("/execution/logs", events),
  "stream GET /api/v1/integrations/executions/{id}/events": integration("/events", events),
  "stream GET /api/v1/admin/accounts/{account_id}/executions/{id}/events": member(
    "/execution/events",
    events
  ),
  "stream GET /api/v1/admin/accounts/{account_id}/changes": member("/changes", events)
}

it("every wait of the contract is tried below", () => {
  assert.sameMembers([...waits], Object.keys(begins))
})

// The clock of the test stands still, so that only the end of the caller can end these waits.
test.each(Object.entries(begins))("%s ends with its caller", function* ([wait, begin]) {
  const { asking, end } = begin(yield* callers)
  const waiting = yield* Waiting
  yield* Queue.clear(waiting)
  const asked = yield* Effect.forkChild(asking)
  yield* Queue.take(waiting)

  yield* end

  const answer = yield* Fiber.join(asked)
  if (wait.startsWith("stream")) {
    // A stream that went on would be read for ever.
    assert.include(yield* Effect.promise(() => answer.text()), "retry: ")
  } else {
    assert.strictEqual((yield* errorOf(answer)).code, "unauthorized")
    assert.strictEqual(answer.status, 401)
  }
})
