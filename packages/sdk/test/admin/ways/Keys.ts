/** Accounts and keys, by endpoint of the contract. */
import type { Ways } from "../Ways.ts"

export const keyWays: Ways = {
  "POST /accounts": ({ admin }) => admin.accounts.create({ name: "Another" }),
  "GET /accounts": ({ admin }) => admin.accounts.list().toArray({ limit: 5 }),
  "PATCH /accounts/:account_id": async ({ admin }) => {
    const { id } = await admin.accounts.create({ name: "Another" })
    await admin.accounts.update(id, { max_live: 5_000 })
  },
  "DELETE /accounts/:account_id": async ({ admin }) =>
    admin.accounts.remove((await admin.accounts.create({ name: "Passing" })).id),
  "POST /secret-keys/reseal": ({ admin }) => admin.secretKeys.reseal(),
  "POST /accounts/:account_id/keys": ({ account }) =>
    account.keys.create({ name: "Shop", capabilities: ["executions:read"], allowed_task_ids: [] }),
  "GET /accounts/:account_id/keys": ({ account }) => account.keys.list().toArray({ limit: 5 }),
  "GET /accounts/:account_id/keys/:key_id": ({ account, key }) => account.keys.get(key.id),
  "PATCH /accounts/:account_id/keys/:key_id": ({ account, key }) =>
    account.keys.update(key.id, { name: "Renamed" }),
  "DELETE /accounts/:account_id/keys/:key_id": async ({ account }) =>
    account.keys.revoke((await account.keys.create({ name: "Old" })).id),
  "POST /accounts/:account_id/keys/:key_id/rotate": ({ account, key }) => account.keys.rotate(key.id),
  "POST /accounts/:account_id/keys/:key_id/signing-secret/rotate": ({ account, key }) =>
    account.keys.rotateSigningSecret(key.id, { mode: "immediate" }),
  "POST /accounts/:account_id/runner-keys": ({ account }) => account.runnerKeys.create({ name: "Cellar" }),
  "GET /accounts/:account_id/runner-keys": ({ account }) => account.runnerKeys.list().toArray({ limit: 5 }),
  "DELETE /accounts/:account_id/runner-keys/:key_id": async ({ account }) =>
    account.runnerKeys.revoke((await account.runnerKeys.create({ name: "Attic" })).id)
}
