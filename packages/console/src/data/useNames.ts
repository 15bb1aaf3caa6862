/** The tasks, agents and keys of the account, which others refer to by name. */
import type { Account, Agent, Key, Task } from "@runhook/sdk/admin"
import { useEffect } from "preact/hooks"
import { hear, type LiveKind } from "../live/Live.ts"
import { account } from "../session/Session.ts"
import { Followed } from "./Followed.ts"
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
export const allOf = <Item>({
  list
}: {
  readonly list: (asked: { readonly limit: number }) => Listed<Item>
}): Promise<ReadonlyArray<Item>> => list({ limit: 200 }).toArray({ limit: namesMax })

interface Listed<Item> {
  readonly toArray: (options: { readonly limit: number }) => Promise<ReadonlyArray<Item>>
}

const ask = async (of: Account): Promise<Names> => {
  const [tasks, agents, keys] = await Promise.all([allOf(of.tasks), allOf(of.agents), allOf(of.keys)])
  return { tasks, agents, keys }
}

/** What was asked, for all who ask until something among it changes. */
const asked = new Kept<Promise<Names>>()

/** How often something among it may have changed, and how often it may be new. */
let changes = 0
const news = new Followed(0)

hear((told) => {
  const isOf = (kind: LiveKind) => kind === "task" || kind === "agent" || kind === "key"
  if (told._tag === "Change" ? !isOf(told.change.kind) : told.kinds?.some(isOf) === false) return
  changes += 1
  // Many at once may be no more than the load of agents.
  if (told._tag === "Change" ? told.change.is_new === true : told.kinds === undefined) news.value += 1
})

export const loadNames = (of: Account): Promise<Names> => {
  const key = `${of.id} ${changes}`
  const before = asked.get(key)
  if (before !== undefined) return before
  const names = ask(of)
  asked.set(key, names)
  names.catch(() => {
    changes += 1
  })
  return names
}

const kept = new Kept<Names>()

export const useNames = () => {
  const names = useLoad("names", () => loadNames(account.value), kept)
  useEffect(() => news.follow(names.reload), [])
  return names
}
