/** Audited changes as marks in a chart. */
import type { AuditEntry } from "@runhook/sdk/admin"

/** A change to mark on the time axis. */
export interface ChangeMark {
  readonly at: string
  readonly words: string
}

/** Actions that callers, receivers or runners notice. */
const noticed = new Set([
  "key.revoked",
  "key.rotated",
  "signing_secret.rotated",
  "task.version_published",
  "task.current_version_set",
  "agent.updated",
  "agent.removed",
  "runner_key.revoked"
])

/** Oldest first. */
export const marksOf = (entries: ReadonlyArray<AuditEntry>): ReadonlyArray<ChangeMark> =>
  entries
    .filter(({ action }) => noticed.has(action))
    .map(({ action, at, subject }) => ({
      at,
      words: [action.replaceAll(/[._]/g, " "), ...(subject.name === null ? [] : [subject.name])].join(": ")
    }))
    .toReversed()
