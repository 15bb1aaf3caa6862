/** What operators do with whole accounts. */
import { assert, it } from "@effect/vitest"
import { AdminApi } from "@runhook/contract/AdminApi"
import { adminKey } from "@runhook/test-support/engine/Engine"
import { reflect } from "effect/http-api/HttpApi"
import * as Effect from "effect/Effect"
import { makeBrowser } from "../Browser.ts"
import { errorOf, jsonOf } from "../Hosts.ts"
import { Host, service } from "../Service.ts"
import { makeExecution, makeTenant } from "../Tenant.ts"

const accounts = "/api/v1/admin/accounts"

const anyId = "0198c5a2-7e4b-7c3d-9f10-2a6b8c4d5e6f"

/** All requests in an account that have no body. */
const readings = () => {
  const paths: Array<string> = []
  reflect(AdminApi, {
    onGroup: () => {},
    onEndpoint: ({ endpoint: { method, path } }) => {
      if (method === "GET" && path.includes(":account_id")) paths.push(path)
    }
  })
  return paths
}

it.layer(service)("an account", (it) => {
  const asOperator = Effect.fnUntraced(function* (method: string, path: string, body?: string) {
    const send = yield* Host
    const headers = { authorization: `Bearer ${adminKey}`, "content-type": "application/json" }
    return yield* send(path, { method, headers, ...(body !== undefined && { body }) })
  })

  it.effect("keeps its executions for as many days as an operator says, or as the service does", () =>
    Effect.gen(function* () {
      const { account } = yield* makeTenant()
      const keep = (days: string) =>
        asOperator("PATCH", `${accounts}/${account.id}`, `{"retention_days":${days}}`)

      const answers = yield* Effect.forEach(["7", "null", "6", "36501", "7.5"], keep)

      assert.deepStrictEqual(
        answers.map(({ status }) => status),
        [200, 200, 400, 400, 400]
      )
      const told = yield* Effect.forEach(answers.slice(0, 2), (answer) => jsonOf(answer))
      assert.deepStrictEqual(
        told.map((each) => each["retention_days"]),
        [7, null]
      )
      const { details } = yield* errorOf(answers[2] ?? Response.error())
      assert.include(JSON.stringify(details), "retention_days")
    })
  )

  it.effect("that was removed is unknown to all calls, and its keys and sessions open nothing", () =>
    Effect.gen(function* () {
      const send = yield* Host
      const { account, agent, key, runnerKey, task, version } = yield* makeTenant()
      const { account: other } = yield* makeTenant()
      const browser = yield* makeBrowser(account.id)
      const as = (presented: string, path: string, method = "GET") =>
        Effect.map(
          send(path, { method, headers: { authorization: `Bearer ${presented}` } }),
          ({ status }) => status
        )
      const credentials = Effect.all([
        as(key.key, "/api/v1/integrations/tasks"),
        as(runnerKey.key, `/api/v1/runner/sessions/${anyId}`, "DELETE"),
        Effect.map(browser.send(`${accounts}/${account.id}/agents`), ({ status }) => status)
      ])
      const before = yield* credentials

      const removed = yield* asOperator("DELETE", `${accounts}/${account.id}`)

      assert.deepStrictEqual([removed.status, yield* Effect.promise(() => removed.text())], [204, ""])
      assert.deepStrictEqual(before, [200, 404, 200])
      assert.deepStrictEqual(yield* credentials, [401, 401, 401])
      const paths = readings().map((path) =>
        path
          .replace(":account_id", account.id)
          .replace(":agent_id", agent.id)
          .replace(":task_id", task.id)
          .replace(":version_id", version.id)
          .replaceAll(/:\w+/g, anyId)
      )
      const answers = yield* Effect.forEach(paths, (path) =>
        Effect.map(asOperator("GET", path), ({ status }) => `${status} ${path}`)
      )
      assert.isAbove(paths.length, 20)
      assert.deepStrictEqual(
        answers.filter((answer) => !answer.startsWith("404")),
        []
      )
      assert.strictEqual((yield* asOperator("DELETE", `${accounts}/${account.id}`)).status, 404)
      assert.strictEqual((yield* asOperator("GET", `${accounts}/${other.id}/agents`)).status, 200)
    })
  )

  it.effect("stays while an execution has not ended, and the answer says how many and what to do", () =>
    Effect.gen(function* () {
      const tenant = yield* makeTenant()
      const callback_url = "https://hooks.example.com/in"
      yield* makeExecution(tenant)
      const { execution_id } = yield* makeExecution(tenant, { callback_url })
      const path = `${accounts}/${tenant.account.id}`
      const refusal = Effect.flatMap(asOperator("DELETE", path), (answer) =>
        Effect.map(errorOf(answer), ({ code, details, message }) => ({
          status: answer.status,
          code,
          details,
          message
        }))
      )
      const first = yield* refusal
      const { items } = yield* tenant.admin.executions
        .list({ params: tenant.params, query: {} })
        .pipe(Effect.map(({ data }) => ({ items: data })))
      for (const { id } of items) {
        yield* asOperator("POST", `${path}/executions/${id}/cancel`)
      }

      const second = yield* asOperator("DELETE", path)

      assert.deepInclude(first, {
        status: 409,
        code: "invalid_request",
        details: { reason: "unfinished_executions", count: 2 }
      })
      assert.include(first.message, "revoke its keys, and cancel these or wait")
      // What waits to be told does not keep it.
      assert.strictEqual(second.status, 204)
      assert.include(
        items.map(({ id }) => String(id)),
        execution_id
      )
    })
  )

  it.effect("is not removed by its members", () =>
    Effect.gen(function* () {
      const { account } = yield* makeTenant()
      const { send } = yield* makeBrowser(account.id)

      const answer = yield* send(`${accounts}/${account.id}`, { method: "DELETE" })

      assert.deepStrictEqual((yield* errorOf(answer)).details, { reason: "role", required: "operator" })
    })
  )
})
