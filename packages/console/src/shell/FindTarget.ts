/** Resolves a search: an exact id leads to its page, everything else to a filtered list. */
import { type Account, NotFoundError } from "@runhook/sdk/admin"
import { isId } from "../format/Ids.ts"
import { pathOf, pathTo } from "./Paths.ts"

/** The path if the object exists; undefined if the id belongs to something else. */
const ifThere = async (asked: Promise<unknown>, path: string): Promise<string | undefined> => {
  try {
    await asked
    return path
  } catch (error) {
    if (error instanceof NotFoundError) return undefined
    throw error
  }
}

const firstOf = async (asked: ReadonlyArray<Promise<string | undefined>>): Promise<string | undefined> => {
  const paths = await Promise.all(asked)
  return paths.find((path) => path !== undefined)
}

/** The path to go to. */
export const findTarget = async (account: Account, text: string): Promise<string> => {
  const { agents, deliveries, executions, keys, replays, tasks } = account
  if (isId(text)) {
    const found = await firstOf([
      ifThere(executions.get(text), pathOf`/executions/${text}`),
      ifThere(deliveries.get(text), pathOf`/deliveries/${text}`)
    ])
    if (found !== undefined) return found
    const rare = await firstOf([
      ifThere(keys.get(text), pathOf`/keys/${text}`),
      ifThere(agents.get(text), pathOf`/agents/${text}`),
      ifThere(tasks.get(text), pathOf`/tasks/${text}`),
      ifThere(replays.get(text), pathOf`/replays/${text}`)
    ])
    if (rare !== undefined) return rare
    return await amongDeliveries(account, text)
  }
  if (text.startsWith("req_")) return pathTo("/audit", { q: text })
  if (text.startsWith("rhlive_")) return await amongKeys(account, text)
  if (/^https?:\/\//.test(text) || /^(?:execution|webhook)\./.test(text))
    return pathTo("/deliveries", { q: text })
  return await byReference(account, text)
}

/** An event has its own id, and one delivery. */
const amongDeliveries = async ({ deliveries }: Account, q: string): Promise<string> => {
  const { data } = await deliveries.list({ q, limit: 2 }).page()
  const [first, second] = data
  return first !== undefined && second === undefined
    ? pathOf`/deliveries/${first.id}`
    : pathTo("/deliveries", { q })
}

/** By the public part of a key, `rhlive_<public>_<secret>`: the secret part is ignored, and stays out of the address. */
const amongKeys = async ({ keys }: Account, text: string): Promise<string> => {
  const [, wanted] = text.split("_")
  for await (const { id, prefix } of keys.list({ limit: 200 })) {
    if (prefix === wanted) return pathOf`/keys/${id}`
  }
  return pathTo("/keys")
}

/** References must match in full. */
const byReference = async ({ executions }: Account, reference: string): Promise<string> => {
  const { data } = await executions.list({ reference: reference.slice(0, 255), limit: 2 }).page()
  const [first, second] = data
  if (first === undefined) return pathTo("/deliveries", { q: reference })
  return second === undefined ? pathOf`/executions/${first.id}` : pathTo("/executions", { reference })
}
