import { assert, describe, it } from "@effect/vitest"
import { StoredJson } from "@runhook/core/shared/json/StoredJson"
import * as Effect from "effect/Effect"
import { refusalOf, service } from "../Service.ts"
import { claimNow, makeSession, makeTenant, published } from "../Tenant.ts"

describe("Params that grow with their defaults", () => {
  it.layer(service)((it) => {
    it.effect("are handed out with them, and refused when they would be too large for that", () =>
      Effect.gen(function* () {
        const tenant = yield* makeTenant()
        const { admin, agent, integration, task } = tenant
        const text = "x".repeat(60_000)
        const row = { type: "object", properties: { text: { type: "string", default: text } } }
        yield* published(admin, {
          params: { ...tenant.params, task_id: task.id },
          payload: { params_schema: { type: "object", properties: { rows: { type: "array", items: row } } } }
        })
        const creating = (rows: number) =>
          integration.executions.create({
            params: {},
            headers: {},
            query: {},
            payload: {
              agent_id: agent.id,
              task_id: task.id,
              params: { rows: Array.from({ length: rows }, () => ({})) }
            }
          })

        const { code, details } = yield* refusalOf(creating(35))
        yield* creating(34)
        const { claims } = yield* claimNow(tenant, yield* makeSession(tenant))

        assert.strictEqual(code, "invalid_params")
        assert.deepStrictEqual(details, [
          {
            path: "",
            keyword: "default",
            message: "grows to more than 2097152 bytes of JSON with the defaults of its schema"
          }
        ])
        assert.deepStrictEqual(
          claims.map(({ params }) => params),
          [StoredJson.of({ rows: Array.from({ length: 34 }, () => ({ text })) })]
        )
      })
    )
  })
})
