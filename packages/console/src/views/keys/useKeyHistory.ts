/** Who created a key and who last changed its signing secret, from the audit log. */
import type { AuditEntry } from "@runhook/sdk/admin"
import { useLive, useLoad } from "../../data/Data.ts"
import { account } from "../../session/Session.ts"

export interface KeyHistory {
  readonly made: AuditEntry | undefined
  readonly secretReplaced: AuditEntry | undefined
}

export const useKeyHistory = (id: string): KeyHistory => {
  const latest = async (action: string, signal: AbortSignal) => {
    const { data } = await account.value.audit
      .list({ kind: "key", subject_id: id, q: action, limit: 1 }, { signal })
      .page()
    return data[0]
  }
  const { data, reload } = useLoad(`history ${id}`, async (signal) => {
    const [made, secretReplaced] = await Promise.all([
      latest("key.created", signal),
      latest("signing_secret.rotated", signal)
    ])
    return { made, secretReplaced }
  })
  useLive({ kind: "key", id }, reload)
  return data ?? { made: undefined, secretReplaced: undefined }
}
