/** Several processes that are one service: they share a database, and callers reach any that answers requests. */
import type { Environment } from "../RunhookProcess.ts"
import { type Lives, livesOf } from "./Lives.ts"
import type { Service } from "./Load.ts"

export interface Fleet extends Service {
  readonly members: readonly [Lives, ...Array<Lives>]
  start(): Promise<void>
  kill(): Promise<void>
}

/** Two processes that answer requests, and two that deliver callbacks. */
export const fleetOf = (settings: Environment): Fleet => {
  const memberOf = (role: "api" | "dispatcher") => livesOf({ ...settings, RUNHOOK_ROLES: role })
  const apis = [memberOf("api"), memberOf("api")] as const
  const members = [...apis, memberOf("dispatcher"), memberOf("dispatcher")] as const
  let calls = 0
  return {
    members: [...members],
    url: () => {
      const urls = apis.flatMap((api) => api.url() ?? [])
      return urls[calls++ % urls.length]
    },
    start: async () => {
      await Promise.all(members.map((member) => member.start()))
    },
    kill: async () => {
      await Promise.all(members.map((member) => member.kill()))
    }
  }
}
