/** Three hundred polls that wait for work of one agent, and creates that wake them. */
import { randomUUID } from "node:crypto"
import { setTimeout as pause } from "node:timers/promises"
import * as Schema from "effect/Schema"
import * as Service from "../Service.ts"
import { type Attack, asking } from "./Attack.ts"

const polls = 300
/** Runner keys that share them, as a key may open only so many sessions. */
const runnerKeys = 3

const Opened = Schema.fromJsonString(Schema.Struct({ session_id: Schema.String }))
const MadeKey = Schema.fromJsonString(Schema.Struct({ key: Schema.String }))

export const parkedPolls: Attack = {
  callers: 1,
  prepare: async ({ quick, service }) => {
    const tenant = await Service.makeTenant(service, 1)
    const ask = asking(service)
    /** Waits again as soon as it is answered, for as long as the thread lives. */
    const park = async (key: string): Promise<void> => {
      const opening = { instance_id: randomUUID(), runner_name: "Bench", capacity: 1 }
      const opened = await ask({
        method: "POST",
        path: "/runner/sessions",
        key,
        body: JSON.stringify(opening)
      })
      if (opened.status >= 300) return
      const { session_id } = Schema.decodeUnknownSync(Opened)(opened.text)
      while (true) {
        const claiming = { session_id, claim_id: randomUUID(), free_slots: 1, wait_ms: 25_000, in_flight: [] }
        const { status } = await ask({
          method: "POST",
          path: "/runner/claims",
          key,
          body: JSON.stringify(claiming)
        }).catch(() => ({ status: 0 }))
        if (status !== 200) await pause(1_000)
      }
    }
    for (let made = 0; made < runnerKeys; made++) {
      const { text } = await ask({
        method: "POST",
        path: `/admin/accounts/${tenant.accountId}/runner-keys`,
        key: service.adminKey,
        body: JSON.stringify({ name: `Cellar ${made}` })
      })
      const { key } = Schema.decodeUnknownSync(MadeKey)(text)
      for (let parked = 0; parked < (quick ? 3 : polls / runnerKeys); parked++) void park(key)
    }
    const body = Service.creation(tenant, null)
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
