/** The audit log. */
import { AuditItem } from "../../wire/AuditWire.ts"
import { pageExample } from "./Example.ts"
import { ids, requestId, times } from "./Names.ts"

export const auditExamples = [
  pageExample("AuditPage", AuditItem, [
    {
      id: ids.auditEntry,
      at: times.replayed,
      actor: { kind: "member", id: ids.consoleSession, person: ids.person, name: "Jana" },
      from_address: "198.51.100.23",
      action: "key.updated",
      subject: { kind: "key", id: ids.apiKey, name: "Back office" },
      before: { max_live: 500 },
      after: { max_live: 1_000 },
      request_id: requestId
    }
  ])
]
