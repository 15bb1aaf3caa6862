/** Audited changes as marks in a chart. */
import type { AuditEntry } from "@runhook/sdk/admin"

/** A change to mark on the time axis. */
export interface ChangeMark {
  readonly at: string
  readonly words: string
}

/** Actions that callers, receivers or runners notice. */
const words: { readonly [action: string]: string } = {
  "key.revoked": "key revoked",
  "key.rotated": "key rotated",
  "signing_secret.rotated": "secret rotated",
  "task.version_published": "version published",
  "task.current_version_set": "current version set",
  "agent.updated": "agent changed",
  "agent.removed": "agent removed",
  "runner_key.revoked": "runner key revoked"
}

/** Oldest first. */
export const marksOf = (entries: ReadonlyArray<AuditEntry>): ReadonlyArray<ChangeMark> =>
  entries
    .flatMap(({ action, at, subject }) => {
      const word = words[action]
      return word === undefined
        ? []
        : [{ at, words: `${word}${subject.name === null ? "" : `: ${subject.name}`}` }]
    })
    .toReversed()
