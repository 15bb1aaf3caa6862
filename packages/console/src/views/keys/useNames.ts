/** The tasks, agents and keys of the account, which others refer to by name. */
import type { Agent, Key, Task } from "@runhook/sdk/admin"
import { Kept, useLoad } from "../../data/Data.ts"
import { account } from "../../session/Session.ts"

/** Most names of a kind that are loaded. */
const namesMax = 1_000

export interface Names {
  readonly tasks: ReadonlyArray<Task>
  readonly agents: ReadonlyArray<Agent>
  readonly keys: ReadonlyArray<Key>
}

const kept = new Kept<Names>()

export const useNames = () => {
  const { agents, id, keys, tasks } = account.value
  return useLoad<Names>(
    `names ${id}`,
    async (signal) => {
      const limits = [{ limit: 200 }, { signal }] as const
      const most = { limit: namesMax }
      const [ofTasks, ofAgents, ofKeys] = await Promise.all([
        tasks.list(...limits).toArray(most),
        agents.list(...limits).toArray(most),
        keys.list(...limits).toArray(most)
      ])
      return { tasks: ofTasks, agents: ofAgents, keys: ofKeys }
    },
    kept
  )
}
