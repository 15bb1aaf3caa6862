/** One process with a database of its own: they live and die together. */
import { join } from "node:path"
import type { Environment } from "@runhook/test-support/world/ServiceProcess"
import type { Absence } from "../history/History.ts"
import type { Service } from "../load/Calls.ts"
import { type Member, memberOf } from "./Member.ts"
import { processesIn, signal } from "./Postgres.ts"

export interface EmbeddedService extends Service {
  readonly member: Member
  readonly absences: ReadonlyArray<Absence>
  /** `kill -9` for the service and its PostgreSQL, as a power cut does. */
  killAll(): Promise<void>
}

export const embeddedServiceIn = (dataDir: string, settings: Environment): EmbeddedService => {
  const absences: Array<Absence> = []
  const member = memberOf({ ...settings, RUNHOOK_DATA_DIR: dataDir }, absences)
  return {
    member,
    absences,
    url: member.url,
    killAll: async () => {
      const processes = await processesIn(join(dataDir, "postgres", "cluster")).catch(() => [])
      const killed = member.kill()
      processes.forEach((pid) => signal(pid, "SIGKILL"))
      await killed
    }
  }
}
