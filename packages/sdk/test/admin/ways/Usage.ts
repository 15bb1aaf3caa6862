/** Counts, by endpoint of the contract. */
import type { Ways } from "../Ways.ts"

export const usageWays: Ways = {
  "GET /accounts/:account_id/usage": ({ account, key }) =>
    account.usage.counted({ by: "day", key_id: key.id, from: "2026-01-01T00:00:00Z" }),
  "GET /accounts/:account_id/receivers": ({ account }) => account.usage.receivers({ limit: 5 }),
  "GET /accounts/:account_id/overview": ({ account }) => account.usage.overview()
}
