/** The names of the account's tasks and agents, which keys are limited to. */
import { useLoad } from "../../data/Loading.ts"
import { account, membership } from "../../session/Session.ts"
import type { Named } from "./KeyWords.ts"

/** More than that one finds by their name. */
const namesMax = 1_000

export interface Names {
  readonly tasks: ReadonlyArray<Named & { readonly slug: string }>
  readonly agents: ReadonlyArray<Named>
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
