/** The service with its demo, as `npm start` runs it: a key, an agent, and a task that captures files. */
import { startService } from "@runhook/test-support/world/Service"
import type { Environment } from "./Generators.ts"

export interface Demo extends AsyncDisposable {
  /** What a story is told of it. */
  readonly settings: Environment
}

/** The first curl that it prints says everything. */
const curl = /'(http:[^']+)\/api[^]*?Bearer (\w+)'[^]*?"agent_id":"([^"]+)","task_id":"([^"]+)"/

export const startDemo = async (): Promise<Demo> => {
  const service = await startService({ environment: { RUNHOOK_DEMO: "on" }, args: ["start"] })
  const [, BASE = "", KEY = "", AGENT = "", TASK = ""] = await service.says(curl)
  return {
    settings: { BASE, KEY, AGENT, TASK },
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose]()
  }
}
