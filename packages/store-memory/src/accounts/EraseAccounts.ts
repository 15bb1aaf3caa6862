/** Erases what removed accounts have left. */
import type { AccountId, ApiKeyId, PersonSessionId, RunnerKeyId } from "@runhook/core/shared/Ids"
import { erasedAfter } from "@runhook/core/sweeps/Retention"
import type { PruneCount, SweepRound } from "@runhook/core/sweeps/SweepStore"
import * as DateTime from "effect/DateTime"
import * as Iterable from "effect/Iterable"
import { removeExecution } from "../executions/RemoveExecution.ts"
import type { Tables } from "../MemoryDatabase.ts"

const isOf =
  (id: AccountId) =>
  ({ accountId }: { readonly accountId: AccountId }): boolean =>
    accountId === id

/** Deletes rows; answers their keys. */
const deleteWhere = <Key, Row>(table: Map<Key, Row>, isWanted: (row: Row, key: Key) => boolean) => {
  const keys = [...table].flatMap(([key, row]) => (isWanted(row, key) ? [key] : []))
  for (const key of keys) table.delete(key)
  return keys
}

/** Deletes what lets somebody in; answers what was valid. */
export const removeCredentials = (
  tables: Tables,
  id: AccountId
): ReadonlyArray<ApiKeyId | PersonSessionId | RunnerKeyId> => {
  const isTheirs = isOf(id)
  const open = [
    ...Iterable.filter(tables.apiKeys.values(), (key) => isTheirs(key) && key.revokedAt === null),
    ...Iterable.filter(tables.runnerKeys.values(), (key) => isTheirs(key) && key.revokedAt === null),
    ...Iterable.filter(
      tables.consoleSessions.values(),
      (session) => isTheirs(session) && session.endedAt === null
    )
  ]
  for (const key of deleteWhere(tables.apiKeys, isTheirs)) {
    tables.signingSecrets.delete(key)
    deleteWhere(tables.apiKeyIds, (each) => each === key)
  }
  for (const key of deleteWhere(tables.runnerKeys, isTheirs)) {
    deleteWhere(tables.runnerKeyIds, (each) => each === key)
  }
  deleteWhere(tables.consoleLinks, isTheirs)
  deleteWhere(tables.consoleSessions, isTheirs)
  return open.map((each) => each.id)
}

export const eraseAccounts = (tables: Tables, { at, limit }: SweepRound): PruneCount => {
  const removedBy = DateTime.subtractDuration(at, erasedAfter)
  let pruned = 0
  for (const [id, removedAt] of tables.removedAccounts) {
    if (removedAt === null || DateTime.isGreaterThan(removedAt, removedBy)) continue
    eraseRows(tables, id)
    const runs = [...Iterable.take(tables.runs.index.ofAccount.of(id), limit - pruned)]
    for (const run of runs) removeExecution(tables, run)
    pruned += runs.length
    if (pruned === limit) return { pruned, hasMore: true }
    if (!Iterable.some(tables.leftOvers.values(), isOf(id))) tables.removedAccounts.set(id, null)
  }
  return { pruned, hasMore: false }
}

/** All but the executions. */
const eraseRows = (tables: Tables, id: AccountId): void => {
  const { attempts, claimers, deliveries, taskVersions, tasks, tries, usage } = tables
  const isTheirs = isOf(id)
  for (const delivery of Iterable.filter(deliveries.values(), isTheirs)) {
    deliveries.delete(delivery)
    attempts.delete(delivery.id)
    claimers.delete(delivery.id)
    tries.delete(delivery.id)
  }
  removeCredentials(tables, id)
  for (const { task, versionIds } of tasks.values()) {
    if (isTheirs(task)) for (const each of versionIds) taskVersions.delete(each)
  }
  deleteWhere(tasks, ({ task }) => isTheirs(task))
  deleteWhere(tables.agents, isTheirs)
  deleteWhere(tables.sessions, isTheirs)
  deleteWhere(tables.endpoints, isTheirs)
  for (const note of tables.endpointNotes)
    if (isTheirs(note.change.run.execution)) tables.endpointNotes.delete(note)
  deleteWhere(tables.cancels, isTheirs)
  deleteWhere(tables.replays, isTheirs)
  deleteWhere(tables.schedules, isTheirs)
  deleteWhere(tables.alerts, isTheirs)
  deleteWhere(tables.alertTargets, ({ accountId }) => accountId === id)
  deleteWhere(tables.receivers, (_, receiver) => receiver.startsWith(id))
  deleteWhere(usage.keyUses, isTheirs)
  deleteWhere(usage.receiverSums, isTheirs)
  deleteWhere(usage.lastAttempts, isTheirs)
  tables.artifactBytes.delete(id)
}
