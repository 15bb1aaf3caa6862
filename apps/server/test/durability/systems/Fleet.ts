/** Several processes that are one service: they share a database, and callers reach any that answers requests. */
import type { Environment } from "@runhook/test-support/world/ServiceProcess"
import type { Absence } from "../history/History.ts"
import type { Service } from "../load/Calls.ts"
import { type Member, memberOf } from "./Member.ts"

export interface Fleet extends Service {
  readonly apis: readonly [Member, Member]
  readonly dispatchers: readonly [Member, Member]
  /** What was done to its processes. */
  readonly absences: ReadonlyArray<Absence>
  start(): Promise<void>
  kill(): Promise<void>
}

/** Two processes that answer requests, and two that deliver callbacks. */
export const fleetOf = (settings: Environment): Fleet => {
  const absences: Array<Absence> = []
  const withRole = (role: "api" | "dispatcher") => memberOf({ ...settings, RUNHOOK_ROLES: role }, absences)
  const apis = [withRole("api"), withRole("api")] as const
  const dispatchers = [withRole("dispatcher"), withRole("dispatcher")] as const
  const members = [...apis, ...dispatchers]
  let calls = 0
  return {
    apis,
    dispatchers,
    absences,
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
