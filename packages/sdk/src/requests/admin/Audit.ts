/** Who changed what in an account. */
import type { AuditEntry, AuditFilter } from "../../wire/Admin.ts"
import type { AdminClient, ClientTypes } from "../Client.ts"
import { get, list } from "../Describe.ts"

export const audit = <T extends ClientTypes>(client: AdminClient<T>) => ({
  /**
   * Changes of the account, newest first.
   *
   * @example
   * ```ts
   * for await (const { action, actor } of account.audit.list({ kind: "key" })) console.log(action, actor.name)
   * ```
   */
  list: (filter?: AuditFilter, options?: T["options"]) =>
    client.list<AuditEntry>(list("/audit", filter, options)),

  /**
   * The same as comma-separated values: all that match, unless `limit` says how many.
   *
   * @example
   * ```ts
   * const text = await account.audit.csv({ from: "2026-03-01T00:00:00Z" })
   * ```
   */
  csv: (filter?: AuditFilter, options?: T["options"]) =>
    client.text({
      ...get("/audit", options, filter),
      accept: "text/csv"
    })
})
