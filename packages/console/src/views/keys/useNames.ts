/** The names of the account's tasks and agents, to which keys may be limited. */
import { useLoad } from "../../data/useLoad.ts"
import { account, membership } from "../../session/Session.ts"
import type { NamedItem } from "./KeyWords.ts"

/** Most names that are loaded. */
const namesMax = 1_000

export interface Names {
  readonly tasks: ReadonlyArray<NamedItem & { readonly slug: string }>
  readonly agents: ReadonlyArray<NamedItem>
}

export const useNames = () =>
  useLoad<Names>(`names ${membership.value?.id}`, async (signal) => {
    const limits = [{ limit: 200 }, { signal }] as const
    const [tasks, agents] = await Promise.all([
      account.value.tasks.list(...limits).toArray({ limit: namesMax }),
      account.value.agents.list(...limits).toArray({ limit: namesMax })
    ])
    return { tasks, agents }
  })
