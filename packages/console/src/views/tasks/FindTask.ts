/** Finds a task by its id or its slug; addresses may have either. */
import { type Account, NotFoundError, type TaskDetail } from "@runhook/sdk/admin"

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Most tasks that are searched for a slug. */
const looked = 2_000

export const findTask = async (account: Account, name: string, signal: AbortSignal): Promise<TaskDetail> => {
  if (uuid.test(name)) return account.tasks.get(name, { signal })
  let count = 0
  for await (const { id, slug } of account.tasks.list({ limit: 200 }, { signal })) {
    if (slug === name) return account.tasks.get(id, { signal })
    if (++count >= looked) break
  }
  throw new NotFoundError({
    message: "There is no such task",
    status: 404,
    code: "not_found",
    details: null,
    requestId: null,
    retryAfterMs: null,
    attempts: 1
  })
}
