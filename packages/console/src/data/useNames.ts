/** The tasks, agents and keys of the account, which others refer to by name. */
import type { Account, Agent, Key, Task } from "@runhook/sdk/admin"
import { account } from "../session/Session.ts"
import { Kept } from "./Kept.ts"
import { useLoad } from "./useLoad.ts"

/** Most names of a kind that are loaded. */
const namesMax = 1_000

export interface Names {
  readonly tasks: ReadonlyArray<Task>
  readonly agents: ReadonlyArray<Agent>
  readonly keys: ReadonlyArray<Key>
}

/** All of one kind, as far as names of them are loaded. */
export const allOf = <Item>(
  { list }: { readonly list: (...asked: ReturnType<typeof askedFor>) => Listed<Item> },
  signal: AbortSignal
): Promise<ReadonlyArray<Item>> => list(...askedFor(signal)).toArray({ limit: namesMax })

interface Listed<Item> {
  readonly toArray: (options: { readonly limit: number }) => Promise<ReadonlyArray<Item>>
}

const askedFor = (signal: AbortSignal) => [{ limit: 200 }, { signal }] as const

export const loadNames = async (of: Account, signal: AbortSignal): Promise<Names> => {
  const [tasks, agents, keys] = await Promise.all([
    allOf(of.tasks, signal),
    allOf(of.agents, signal),
    allOf(of.keys, signal)
  ])
  return { tasks, agents, keys }
}

const kept = new Kept<Names>()

export const useNames = () =>
  useLoad(`names ${account.value.id}`, (signal) => loadNames(account.value, signal), kept)
