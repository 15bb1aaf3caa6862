/** Dead letters, made as fast as attempts can be: each waiting delivery is tried until it is given up. */
import { type Account, deliveryAttemptsMax, RunhookError } from "@runhook/sdk/admin"

/** Looks at a delivery between two attempts, before it counts as stuck. */
const looksMax = 500

const settledAttempts = async (account: Account, id: string, count: number) => {
  for (let look = 0; look < looksMax; look++) {
    const { attempts, state, waiting_for } = await account.deliveries.get(id)
    if (state !== "pending" || (attempts >= count && waiting_for !== "sending")) return state
  }
  throw new Error(`Attempt ${count} of ${id} was not settled`)
}

/** Sends tests to a receiver that refuses them, until they are dead. Answers their ids. */
export const deadLetters = async (
  account: Account,
  options: { readonly url: string; readonly keyId: string; readonly count: number }
): Promise<ReadonlyArray<string>> => {
  const ids: Array<string> = []
  for (let made = 0; made < options.count; made++) {
    const body = { key_id: options.keyId, callback_url: options.url }
    ids.push((await account.webhooks.test(body)).delivery_id)
  }
  for (const id of ids) {
    for (let attempt = 1; (await settledAttempts(account, id, attempt)) === "pending"; attempt++) {
      if (attempt > deliveryAttemptsMax) throw new Error(`${id} is not given up`)
      // It may be settled by an attempt that was under way.
      await account.deliveries.tryNow(id).catch((error: unknown) => {
        if (!(error instanceof RunhookError) || error.status !== 409) throw error
      })
    }
  }
  return ids
}
