/** As many full pages of ordinary executions at once as a key may ask for. */
import { setTimeout as pause } from "node:timers/promises"
import * as Service from "../Service.ts"
import { type Attack, asking } from "./Attack.ts"

const executions = 400

export const listBursts: Attack = {
  callers: 200,
  prepare: async ({ quick, service }) => {
    const tenant = await Service.makeTenant(service, 1)
    const ask = asking(service)
    const { key } = tenant
    const body = Service.creation(tenant, null)
    for (let made = 0; made < (quick ? 10 : executions);) {
      const { status } = await ask({ method: "POST", path: "/integrations/executions", key, body })
      if (status === 201) made++
      else if (status === 429) await pause(1_000)
      else throw new Error(`A create was answered ${status}`)
    }
    // By then the key may ask for all it may at once.
    await pause(quick ? 0 : 10_000)
    return async () => {
      const { status } = await ask({ method: "GET", path: "/integrations/executions?limit=200", key })
      return status
    }
  }
}
