/** Deliveries and the audit log, by endpoint of the contract. */
import { assert } from "vitest"
import type { Ways } from "../Ways.ts"

export const activityWays: Ways = {
  "GET /accounts/:account_id/audit": async ({ account, key }) => {
    const [entry] = await account.audit.list({ kind: "key", subject_id: key.id }).toArray({ limit: 1 })
    assert.strictEqual(entry?.subject.kind, "key")
    assert.include(await account.audit.csv({ subject_id: key.id }), key.id)
  },
  "GET /accounts/:account_id/deliveries": ({ account, key }) =>
    account.deliveries
      .list({ status: ["pending", "dead"], answer: "none", key_id: key.id })
      .toArray({ limit: 5 }),
  "GET /accounts/:account_id/deliveries/:id": ({ account, delivery }) => account.deliveries.get(delivery.id),
  "GET /accounts/:account_id/dead-letters": ({ account }) => account.deliveries.deadLetters(),
  "POST /accounts/:account_id/deliveries/:id/replay": ({ account, delivery }) =>
    // It is still being delivered, which the service says with 409.
    account.deliveries.replay(delivery.id).catch(({ status }: { readonly status: number }) => status === 409),
  "POST /accounts/:account_id/deliveries/:id/try": ({ account, delivery }) =>
    // It may be on its way at this moment, which the service says with 409.
    account.deliveries.tryNow(delivery.id).catch(({ status }: { readonly status: number }) => status === 409),
  "POST /accounts/:account_id/deliveries/:id/curl": ({ account, delivery }) =>
    account.deliveries.curl(delivery.id),
  "POST /accounts/:account_id/deliveries/replays": ({ account }) =>
    account.deliveries.replayAll({ q: "none" }),
  "GET /accounts/:account_id/webhooks/replays": async ({ account }) => {
    await account.deliveries.wouldReplay({ last_only: true })
    return account.replays.list().toArray({ limit: 5 })
  },
  "GET /accounts/:account_id/webhooks/replays/:id": async ({ account }) =>
    account.replays.get((await account.deliveries.replayAll({ q: "none" })).id),
  "POST /accounts/:account_id/webhooks/replays/:id/cancel": async ({ account }) =>
    account.replays.cancel((await account.deliveries.replayAll({ q: "none" })).id),
  "POST /accounts/:account_id/webhooks/test": ({ account, key, service }) =>
    account.webhooks.test({ key_id: key.id, callback_url: `${service.url}/nobody` }),
  "GET /accounts/:account_id/changes": async ({ account, key, requests }) => {
    const stop = new AbortController()
    const changes = account.changes({ signal: stop.signal })
    const first = changes.next()
    const told: Array<unknown> = []
    void first.then((each) => told.push(each))
    // It tells of what comes after it has begun, so something is changed until it has.
    while (told.length === 0) await account.keys.update(key.id, { name: "Back office" })
    const { value } = await first
    const next = account.changes({ signal: stop.signal }).next()
    while (!requests.at(-1)?.endsWith("/changes")) await new Promise(setImmediate)
    stop.abort()
    await next.catch(() => {})
    await changes.return()
    if (value?.event !== "many" && value?.event !== "change") throw new Error(`It told ${value?.event}`)
  }
}
