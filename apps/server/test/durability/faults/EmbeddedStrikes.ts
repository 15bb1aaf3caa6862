/** What happens to one process with a database of its own. */
import { isWanted } from "../Extent.ts"
import type { EmbeddedService } from "../systems/EmbeddedService.ts"
import type { Strike } from "./Strike.ts"

const all: ReadonlyArray<Strike<EmbeddedService>> = [
  {
    name: "kill -9 of a service together with its own PostgreSQL",
    happen: async ({ killAll, member }) => {
      await killAll()
      await member.start()
    }
  },
  {
    name: "kill -9 of a service, with which its own PostgreSQL ends in order",
    happen: async ({ member }) => {
      await member.kill()
      await member.start()
    }
  },
  {
    name: "a service with its own PostgreSQL stopped and started",
    happen: async ({ member }) => {
      await member.stop()
      await member.start()
    }
  }
]

export const embeddedStrikes = all.filter(isWanted)
