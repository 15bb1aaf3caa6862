/** What happens to processes that share a database, to the database, and to a receiver. */
import { setTimeout as pause } from "node:timers/promises"
import { isWanted, isWhole, lasting } from "../Extent.ts"
import type { Fleet } from "../systems/Fleet.ts"
import type { Member } from "../systems/Member.ts"
import type { Postgres } from "../systems/Postgres.ts"
import type { Strike } from "./Strike.ts"

export interface FleetParts {
  readonly fleet: Fleet
  readonly postgres: Postgres
}

const lateClock = { NODE_OPTIONS: `--import=${new URL("./LateClock.ts", import.meta.url)}` }

const killed = async (members: ReadonlyArray<Member>): Promise<void> => {
  await Promise.all(members.map((member) => member.kill()))
  await Promise.all(members.map((member) => member.start()))
}

const frozen = async (member: Member, milliseconds: number): Promise<void> => {
  member.freeze()
  await pause(milliseconds)
  member.thaw()
}

const brief: ReadonlyArray<Strike<FleetParts>> = [
  {
    name: "a receiver down",
    happen: async (_parts, { receiver }) => {
      await receiver.goDown()
      await pause(lasting(5, 20))
      await receiver.comeBack()
    }
  },
  {
    name: "kill -9 of one process that answers requests and one that delivers",
    happen: ({ fleet }) => killed([fleet.apis[0], fleet.dispatchers[0]])
  },
  {
    name: "kill -9 of PostgreSQL",
    happen: async ({ postgres }) => {
      await postgres.kill()
      await pause(lasting(1, 10))
      await postgres.start()
    }
  },
  {
    name: "kill -9 of the connections of PostgreSQL",
    happen: ({ postgres }) => postgres.killConnections()
  },
  {
    name: "PostgreSQL frozen",
    happen: async ({ postgres }) => {
      await postgres.freeze()
      await pause(lasting(7, 30))
      await postgres.thaw()
    }
  },
  {
    name: "a process that delivers frozen",
    happen: ({ fleet }) => frozen(fleet.dispatchers[1], lasting(2, 50))
  },
  {
    name: "PostgreSQL read-only",
    happen: async ({ postgres }) => {
      await postgres.becomeReadOnly()
      await pause(lasting(2, 10))
      await postgres.becomeWritable()
    }
  },
  {
    name: "PostgreSQL refusing connections",
    happen: ({ postgres }) => postgres.refuseConnections(lasting(2, 10))
  },
  {
    name: "the disk of PostgreSQL full",
    happen: async ({ postgres }) => {
      await postgres.fillDisk()
      await pause(lasting(2, 10))
      await postgres.emptyDisk()
    }
  },
  {
    name: "the clocks of two processes an hour late",
    happen: async ({ fleet }) => {
      const two = [fleet.apis[1], fleet.dispatchers[1]]
      await Promise.all(two.map((member) => member.kill()))
      await Promise.all(two.map((member) => member.start(lateClock)))
      await pause(lasting(2, 10))
      await killed(two)
    }
  }
]

const long: ReadonlyArray<Strike<FleetParts>> = [
  { name: "kill -9 of every process", happen: ({ fleet }) => killed([...fleet.apis, ...fleet.dispatchers]) },
  { name: "a process that answers requests frozen", happen: ({ fleet }) => frozen(fleet.apis[1], 20_000) },
  {
    name: "one process after the other stopped and started",
    happen: async ({ fleet }) => {
      for (const member of [...fleet.apis, ...fleet.dispatchers]) {
        await member.stop()
        await member.start()
      }
    }
  }
]

export const fleetStrikes = [...brief, ...(isWhole ? long : [])].filter(isWanted)
