/** Who did something to a thing last, as the audit log has it. */
import type { AuditEntry } from "@runhook/sdk/admin"
import { account } from "../session/Session.ts"

export const latestChange = async (
  id: string,
  action: string,
  signal: AbortSignal
): Promise<AuditEntry | undefined> => {
  const { data } = await account.value.audit.list({ subject_id: id, q: action, limit: 1 }, { signal }).page()
  return data[0]
}
