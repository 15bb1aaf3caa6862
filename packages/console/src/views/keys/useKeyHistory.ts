/** Who created a key and who last changed its signing secret, from the audit log. */
import type { AuditEntry } from "@runhook/sdk/admin"
import { latestChange } from "../../data/LatestChange.ts"
import { useLive, useLoad } from "../../data/Data.ts"

export interface KeyHistory {
  readonly made: AuditEntry | undefined
  readonly secretReplaced: AuditEntry | undefined
}

export const useKeyHistory = (id: string): KeyHistory => {
  const { data, reload } = useLoad(`history ${id}`, async (signal) => {
    const [made, secretReplaced] = await Promise.all([
      latestChange(id, "key.created", signal),
      latestChange(id, "signing_secret.rotated", signal)
    ])
    return { made, secretReplaced }
  })
  useLive({ kind: "key", id }, reload)
  return data ?? { made: undefined, secretReplaced: undefined }
}
