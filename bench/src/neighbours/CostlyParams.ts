/** Creates whose params are checked against a schema of very many names, and fail at each of very many items. */
import * as Schema from "effect/Schema"
import * as Service from "../Service.ts"
import { type Attack, asking, names } from "./Attack.ts"

const Made = Schema.fromJsonString(Schema.Struct({ id: Schema.String }))

/** As many as a schema may name in one list, tried from the most that anybody asked for downwards. */
const namesTried = [2_000, 800, 400, 200, 100, 50]
const items = 11_000

const schemaOf = (count: number) => ({
  type: "object",
  properties: { rows: { type: "array", items: { dependentRequired: { a: names(count) } } } }
})

export const costlyParams: Attack = {
  callers: 4,
  prepare: async ({ quick, service }) => {
    const tenant = await Service.makeTenant(service, 1)
    const ask = asking(service)
    const admin = `/admin/accounts/${tenant.accountId}/tasks`
    const publish = (id: string, count: number) =>
      ask({
        method: "POST",
        path: `${admin}/${id}/versions`,
        key: service.adminKey,
        body: JSON.stringify({ params_schema: schemaOf(count) })
      })
    const made = await ask({
      method: "POST",
      path: admin,
      key: service.adminKey,
      body: JSON.stringify({ slug: "costly", name: "Costly" })
    })
    const { id } = Schema.decodeUnknownSync(Made)(made.text)
    for (const count of namesTried) if ((await publish(id, count)).status === 201) break
    const rows = Array.from({ length: quick ? 10 : items }, () => ({ a: 1 }))
    const body = JSON.stringify({ agent_id: tenant.agentId, task_id: id, params: { rows } })
    return async () => {
      const { status } = await ask({
        method: "POST",
        path: "/integrations/executions",
        key: tenant.key,
        body
      })
      return status
    }
  }
}
