/** What lists and records show of tasks and their versions. */
import type { TaskVersion, TaskVersionSummary, TaskView } from "@runhook/core/catalog/Task"
import type { TaskVersionId } from "@runhook/core/shared/Ids"
import * as Array from "effect/Array"
import * as Order from "effect/Order"
import type { Tables, TaskRow } from "../MemoryDatabase.ts"

export const viewOf = (tables: Tables, row: TaskRow): TaskView => {
  const current = versionOf(tables, row.currentVersionId)
  const latest = versionOf(tables, row.versionIds.at(-1))
  return {
    task: row.task,
    currentVersion: current && summaryOf(row, current),
    latestVersion: latest && summaryOf(row, latest),
    resultSchema: current && current.resultSchema,
    tags: Array.sort(row.tags, byName).map(([name, versionId]) => ({ name, versionId }))
  }
}

export const summaryOf = (row: TaskRow, { id, number, publishedAt }: TaskVersion): TaskVersionSummary => ({
  id,
  number,
  tags: Array.sort(row.tags, byName).flatMap(([name, versionId]) => (versionId === id ? [name] : [])),
  publishedAt
})

const byName = Order.mapInput(Order.String, ([name]: readonly [string, TaskVersionId]) => name)

const versionOf = (tables: Tables, id: TaskVersionId | null | undefined): TaskVersion | null =>
  (id && tables.taskVersions.get(id)) ?? null
