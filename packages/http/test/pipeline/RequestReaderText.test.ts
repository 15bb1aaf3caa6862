import { assert, describe } from "@effect/vitest"
import { ExecutionId } from "@runhook/core/shared/Ids"
import { StoredJson } from "@runhook/core/shared/json/StoredJson"
import * as Effect from "effect/Effect"
import { bearer, endpoints, nobody, tenantHost } from "../Endpoints.ts"
import { errorOf, jsonOf, sending } from "../Hosts.ts"
import { Host, test } from "../Service.ts"
import { makeExecution } from "../Tenant.ts"

describe("the text of a request", () => {
  test("has no parameter that an endpoint does not read", function* () {
    const { send } = yield* tenantHost

    for (const { api, method, path } of endpoints) {
      const answer = yield* send(api, `${path}?surprise=1`, { method })

      assert.strictEqual(answer.status, 400, `${method} ${path}`)
      assert.include((yield* errorOf(answer)).message, "query.surprise: is not a known field")
    }
    assert.isAbove(endpoints.length, 60)
  })

  test("cancels nothing when a parameter is unknown", function* () {
    const { send, tenant } = yield* tenantHost
    const { execution_id } = yield* makeExecution(tenant)
    const path = `/api/v1/integrations/executions/${execution_id}/cancel?validate_only=true`

    const answer = yield* send("integration", path, { method: "POST" })

    const { status } = yield* tenant.integration.executions.get({ params: { id: execution_id }, query: {} })
    assert.deepStrictEqual([answer.status, status], [400, "queued"])
  })

  test("is looked at only for callers that are known", function* () {
    const send = yield* Host

    const answer = yield* send("/api/v1/integrations/agents?surprise=%zz", bearer("nobody"))

    assert.strictEqual(answer.status, 401)
  })

  test.each([
    ["reference=%zz", "reference"],
    ["reference=%ff", "reference"],
    ["reference=%", "reference"],
    ["limit=1&reference=a%E2%82", "reference"],
    ["%ff=1", "%ff"],
    ["refer%65nce=%c0", "reference"]
  ])("of the query %s cannot be decoded", function* ([query, name]) {
    const { send } = yield* tenantHost

    const answer = yield* send("integration", `/api/v1/integrations/executions?${query}`)

    assert.strictEqual(answer.status, 400)
    assert.strictEqual((yield* errorOf(answer)).message, `query.${name}: must be percent-encoded UTF-8`)
  })

  test("gives each parameter once that takes one value, and any number of those of a list", function* () {
    const { send } = yield* tenantHost
    const executions = "/api/v1/integrations/executions"

    const twice = yield* send(
      "integration",
      `${executions}?limit=1&status=queued&limit=1&reference=a&reference=b`
    )
    const listed = yield* send("integration", `${executions}?status=queued&status=running`)

    const message = "is given more than once, and takes one value"
    const { details } = yield* errorOf(twice)
    assert.deepStrictEqual([twice.status, listed.status], [400, 200])
    assert.deepStrictEqual(details, {
      issues: [
        { path: ["query", "reference"], message },
        { path: ["query", "limit"], message }
      ]
    })
  })

  test("has + of an offset as %2B, and says so where it has not", function* () {
    const { send } = yield* tenantHost
    const path = "/api/v1/integrations/executions?from=2026-03-07T09:30:00"

    const [plain, encoded] = yield* Effect.all([
      send("integration", `${path}+01:00`),
      send("integration", `${path}%2B01:00`)
    ])

    assert.match((yield* errorOf(plain)).message, /^query.from: .* In a query, write %2B for \+$/)
    assert.strictEqual(encoded.status, 200)
  })

  test("may be encoded in any way that can be decoded", function* () {
    const { send } = yield* tenantHost

    const answer = yield* send("integration", "/api/v1/integrations/executions?refer%65nce=%E2%82%AC+1&&")

    assert.strictEqual(answer.status, 200)
  })

  test.each(["1e2", "0x10", "+5", "05", "5.0", "-1", "%205", "5%20", "", "Infinity", "1_0"])(
    "does not spell a number as %j",
    function* (number) {
      const { send } = yield* tenantHost
      const root = "/api/v1/integrations"
      const queries = [
        [`${root}/executions`, "limit"],
        [`${root}/executions/${nobody}`, "wait"],
        [`${root}/tasks/${nobody}/params-schema`, "v"]
      ]

      for (const [path, name] of queries) {
        const answer = yield* send("integration", `${path}?${name}=${number}`)

        assert.strictEqual(answer.status, 400, `${name}=${number}`)
        assert.include((yield* errorOf(answer)).message, `query.${name}: Expected a whole number`)
      }
    }
  )

  test("has no integer that reading would change, wherever it stands", function* () {
    const { send, tenant } = yield* tenantHost
    const fields = `"agent_id": "${tenant.agent.id}", "task_id": "${tenant.task.id}"`
    const bodies = [
      [
        "integration",
        "/integrations/executions",
        `{${fields}, "params": {"a": [9007199254740993]}}`,
        "params.a.0"
      ],
      [
        "integration",
        "/integrations/executions",
        `{${fields}, "metadata": {"a": 9007199254740993}}`,
        "metadata.a"
      ],
      [
        "integration",
        `/integrations/executions/${nobody}/inputs/${nobody}`,
        `{"value": -9007199254740993}`,
        "value"
      ],
      [
        "runner",
        `/runner/executions/${nobody}/complete`,
        `{"epoch": 1, "outcome": "completed", "result": {"n": 1e400}}`,
        "result.n"
      ],
      [
        "admin",
        `/admin/accounts/${tenant.account.id}/tasks/${tenant.task.id}/versions`,
        `{"params_schema": {"maximum": 18446744073709551615}}`,
        "params_schema.maximum"
      ],
      [
        "admin",
        `/admin/accounts/${tenant.account.id}/tasks/${tenant.task.id}/versions`,
        `{"params_schema": {"properties": {"a": {"enum": [1, 9007199254740993.0]}}}}`,
        "params_schema.properties.a.enum.1"
      ],
      [
        "integration",
        "/integrations/executions",
        `{${fields}, "params": {"id": 9007199254740993.0}}`,
        "params.id"
      ],
      [
        "integration",
        "/integrations/executions",
        `{${fields}, "params": {"id": -9.007199254740993e15}}`,
        "params.id"
      ],
      [
        "integration",
        "/integrations/schedules",
        `{"every_seconds": 60, "execution": {${fields}, "params": {"id": 12345678901234567890.0}}}`,
        "execution.params.id"
      ],
      [
        "runner",
        `/runner/executions/${nobody}/checkpoint`,
        `{"epoch": 1, "value": {"n": 9.007199254740993e15}}`,
        "value.n"
      ]
    ] as const

    for (const [api, path, body, place] of bodies) {
      const answer = yield* send(api, `/api/v1${path}`, sending("POST", body))

      const { code, message } = yield* errorOf(answer)
      assert.strictEqual(
        answer.status,
        /executions$|schedules$|checkpoint$|complete$/.test(path) ? 422 : 400,
        path
      )
      assert.strictEqual(code, "invalid_request")
      assert.isTrue(message.startsWith(`body.${place}: must be `), message)
    }

    const item = `{${fields}, "params": {"id": 9007199254740993.0}}`
    const batch = yield* send(
      "integration",
      "/api/v1/integrations/executions/batch",
      sending("POST", `{"executions": [${item}, {${fields}}]}`)
    )
    assert.include(yield* Effect.promise(() => batch.text()), "body.executions.0.params.id")

    const call = `{"name": "any", "arguments": {"id": 9007199254740993.0}}`
    const tool = yield* send(
      "integration",
      "/mcp",
      sending("POST", `{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": ${call}}`)
    )
    assert.strictEqual(tool.status, 400)
    assert.include(yield* Effect.promise(() => tool.text()), "params.arguments.id")
  })

  test("has no key that Node would read as another, and refuses it before it is parsed", function* () {
    const { send, tenant } = yield* tenantHost
    const create = (metadata: string) =>
      send(
        "integration",
        "/api/v1/integrations/executions",
        sending(
          "POST",
          `{"agent_id": "${tenant.agent.id}", "task_id": "${tenant.task.id}", "metadata": ${metadata}}`
        )
      )

    const refused = yield* create('{"place": {"a row": 0, "\\\\": 1}}')
    const made = yield* create('{"place": {"a row": 0, "\\n": 1}}')

    assert.strictEqual(refused.status, 422)
    const { message } = yield* errorOf(refused)
    assert.isTrue(message.startsWith("body.metadata.place: must not have a key with a backslash"), message)
    const { execution_id } = yield* jsonOf(made)
    const { metadata } = yield* tenant.integration.executions.get({
      params: { id: ExecutionId.make(String(execution_id)) },
      query: {}
    })
    assert.deepStrictEqual(metadata, StoredJson.of({ place: { "a row": 0, "\n": 1 } }))
  })

  test("keeps numbers of every other kind as they are", function* () {
    const { tenant } = yield* tenantHost
    const numbers = [9007199254740991, -9007199254740991, 6.02214076e23, 0.1, 1.7976931348623157e308, 5e-324]

    const { integration, agent, task } = tenant
    const made = yield* integration.executions.create({
      params: {},
      headers: {},
      query: {},
      payload: { agent_id: agent.id, task_id: task.id, params: { numbers } }
    })
    const id = "execution_id" in made ? made.execution_id : assert.fail("it was not created")

    const { params } = yield* integration.executions.get({ params: { id }, query: {} })
    assert.deepStrictEqual(params, StoredJson.of({ numbers }))
  })
})

describe("ids", () => {
  test.each([
    nobody,
    "ffffffff-ffff-ffff-ffff-ffffffffffff",
    "FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF",
    "12345678-1234-1234-1234-123456789012",
    "0190A8F0-0000-F000-0000-00000000ABCD"
  ])("of any version are looked up: %s", function* (id) {
    const { send } = yield* tenantHost
    for (const { api, method, path } of endpoints) {
      if (method !== "GET" || !path.includes(nobody)) continue

      const answer = yield* send(api, path.replaceAll(nobody, id))

      assert.strictEqual(answer.status, 404, path)
    }
  })

  test.each(["x", "1234567812341234123412345678901", "{12345678-1234-1234-1234-123456789012}", "%00"])(
    "of no such form are refused: %s",
    function* (id) {
      const { send } = yield* tenantHost

      const answer = yield* send("integration", `/api/v1/integrations/executions/${id}`)

      assert.strictEqual(answer.status, 400)
      assert.strictEqual((yield* errorOf(answer)).message, "path.id: Expected a UUID")
    }
  )
})
