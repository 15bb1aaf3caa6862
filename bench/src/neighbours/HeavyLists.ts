/** Pages of executions whose params are as large as a body may be. */
import { setTimeout as pause } from "node:timers/promises"
import * as Service from "../Service.ts"
import { type Attack, asking } from "./Attack.ts"

const executions = 200
/** Bytes of params of each, which with the rest stay under the largest body. */
const paramsBytes = 1_000_000

export const heavyLists: Attack = {
  callers: 4,
  prepare: async ({ quick, service }) => {
    const tenant = await Service.makeTenant(service, 1)
    const ask = asking(service)
    const { agentId, key, taskId } = tenant
    const text = "x".repeat(quick ? 100 : paramsBytes)
    const body = JSON.stringify({ agent_id: agentId, task_id: taskId, params: { copies: 1, text } })
    for (let made = 0; made < (quick ? 10 : executions);) {
      const { status } = await ask({ method: "POST", path: "/integrations/executions", key, body })
      if (status === 201) made++
      else if (status === 429) await pause(1_000)
      else throw new Error(`A create was answered ${status}`)
    }
    return async () => {
      const { status } = await ask({ method: "GET", path: "/integrations/executions?limit=200", key })
      return status
    }
  }
}
