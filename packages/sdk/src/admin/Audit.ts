/** Who changed what in an account. */
import { readText } from "../call/Answer.ts"
import type { CallOptions } from "../call/Settings.ts"
import type { AuditEntry, AuditFilter } from "../wire/Admin.ts"
import type { Rooted } from "./Rooted.ts"

export const makeAudit = ({ call, list }: Rooted) => ({
  /** Changes of the account, newest first. */
  list: (filter?: AuditFilter, options?: CallOptions) => list<AuditEntry>("/audit", filter, options),

  /** The same as comma-separated values: all that match, unless `limit` says how many. */
  csv: (filter: AuditFilter = {}, options?: CallOptions) =>
    call<string>(
      { method: "GET", path: "/audit", query: { ...filter }, accept: "text/csv" },
      options,
      readText
    )
})
