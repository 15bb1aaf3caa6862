/** Tasks, their versions and tags in memory. */
import type { Audit } from "@runhook/core/audit/AuditEntry"
import type { Naming } from "@runhook/core/audit/CatalogEvents"
import { Task, taskBytes, TaskVersion } from "@runhook/core/catalog/Task"
import { describeSelector, type VersionSelector } from "@runhook/core/catalog/VersionSelector"
import type { AccountId, TaskId, TaskVersionId } from "@runhook/core/shared/Ids"
import {
  SlugTaken,
  TagNotFound,
  type TaskFilter,
  TaskNotFound,
  TaskStore,
  VersionNotFound
} from "@runhook/core/catalog/TaskStore"
import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Iterable from "effect/Iterable"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { makeAudited } from "../audit/Audited.ts"
import { MemoryDatabase, type TaskRow } from "../MemoryDatabase.ts"
import { behind, firstOf, mapPage, pageOf } from "../tables/Paging.ts"
import { storedAs } from "../tables/StoredAs.ts"
import { transaction } from "../tables/Transaction.ts"
import { summaryOf, viewOf } from "./TaskViews.ts"

const storedTask = storedAs(Task)
const storedVersion = storedAs(TaskVersion)

export const layer = Layer.effect(
  TaskStore,
  Effect.gen(function* () {
    const tables = yield* MemoryDatabase
    const { tasks, taskVersions } = tables
    const audited = yield* makeAudited

    const find = (accountId: AccountId, id: TaskId): Result.Result<TaskRow, TaskNotFound> => {
      const row = tasks.get(id)
      return row?.task.accountId === accountId ? Result.succeed(row) : Result.fail(new TaskNotFound({ id }))
    }

    const put = (row: TaskRow): TaskRow => {
      tasks.set(row.task.id, row)
      return row
    }

    const versionOf = (id: TaskVersionId | null | undefined): TaskVersion | null =>
      (id && taskVersions.get(id)) ?? null

    const versionIn = (
      row: TaskRow,
      selector: VersionSelector
    ): Result.Result<TaskVersion, VersionNotFound> => {
      const id = meantId(row, selector)
      const version = id && taskVersions.get(id)
      return version?.taskId === row.task.id
        ? Result.succeed(version)
        : Result.fail(new VersionNotFound({ selector: describeSelector(selector) }))
    }

    const nameVersion = (
      { accountId, taskId, versionId, at, audit }: NamedVersion,
      give: (row: TaskRow) => Partial<TaskRow>,
      before: (row: TaskRow) => TaskVersionId | null | undefined
    ) =>
      audited((note) =>
        Result.gen(function* () {
          const row = yield* find(accountId, taskId)
          const after = yield* versionIn(row, { _tag: "ById", id: versionId })
          note(audit?.(row.task, { before: versionOf(before(row)), after }))
          return viewOf(tables, put({ ...touched(row, at), ...give(row) }))
        })
      )

    return TaskStore.of({
      create: (task, audit) =>
        audited((note) => {
          const isTaken = Iterable.some(
            tasks.values(),
            (other) => other.task.accountId === task.accountId && other.task.slug === task.slug
          )
          if (isTaken) return Result.fail(new SlugTaken({ slug: task.slug }))
          const row = storedTask(task)
          note(audit?.(row))
          put({ task: row, currentVersionId: null, tags: new Map(), versionIds: [] })
          return Result.void
        }),

      get: (accountId, id) =>
        transaction(() => Result.map(find(accountId, id), (row) => viewOf(tables, row))),

      list: (accountId, filter, page) =>
        Effect.sync(() => {
          const rows = [...tasks.values()]
            .filter((row) => row.task.accountId === accountId && matches(row, filter))
            .map((row) => ({ id: row.task.id, row }))
          const views = Iterable.map(behind(rows, page), ({ row }) => viewOf(tables, row))
          return firstOf(views, page, taskBytes)
        }),

      update: ({ accountId, id, change, at, audit }) =>
        audited((note) =>
          Result.map(find(accountId, id), (row) => {
            const task = storedTask({ ...row.task, ...change, updatedAt: at })
            note(audit?.(row.task, task))
            return viewOf(tables, put({ ...row, task }))
          })
        ),

      publish: ({ version, tags, makeCurrent, audit }) =>
        audited((note) =>
          Result.map(find(version.accountId, version.taskId), (row) => {
            const published = storedVersion({ ...version, number: row.versionIds.length + 1 })
            note(audit?.(row.task, { ...published, tags }))
            taskVersions.set(published.id, published)
            const next = put({
              ...touched(row, published.publishedAt),
              currentVersionId: makeCurrent ? published.id : row.currentVersionId,
              tags: new Map([...row.tags, ...tags.map((tag) => [tag, published.id] as const)]),
              versionIds: [...row.versionIds, published.id]
            })
            return summaryOf(next, published)
          })
        ),

      versions: ({ accountId, taskId }, page) =>
        transaction(() =>
          Result.map(find(accountId, taskId), (row) => {
            const versions = row.versionIds.flatMap((id) => taskVersions.get(id) ?? [])
            return mapPage(pageOf(versions, page), (version) => summaryOf(row, version))
          })
        ),

      resolve: ({ accountId, taskId, selector }) =>
        transaction(() =>
          Result.gen(function* () {
            const row = yield* find(accountId, taskId)
            return { task: row.task, version: yield* versionIn(row, selector) }
          })
        ),

      resolveVersion: ({ accountId, versionId }) =>
        transaction(() => {
          const version = taskVersions.get(versionId)
          const row = version && tasks.get(version.taskId)
          return version?.accountId === accountId && row !== undefined
            ? Result.succeed({ task: row.task, version })
            : Result.fail(
                new VersionNotFound({ selector: describeSelector({ _tag: "ById", id: versionId }) })
              )
        }),

      moveTag: (options) =>
        nameVersion(
          options,
          ({ tags }) => ({ tags: new Map([...tags, [options.name, options.versionId]]) }),
          ({ tags }) => tags.get(options.name)
        ),

      removeTag: ({ accountId, taskId, name, at, audit }) =>
        audited((note) =>
          Result.gen(function* () {
            const row = yield* find(accountId, taskId)
            const before = versionOf(row.tags.get(name))
            if (before === null) return yield* Result.fail(new TagNotFound({ name }))
            const tags = new Map(row.tags)
            tags.delete(name)
            note(audit?.(row.task, before))
            put({ ...touched(row, at), tags })
          })
        ),

      setCurrent: (options) =>
        nameVersion(
          options,
          () => ({ currentVersionId: options.versionId }),
          ({ currentVersionId }) => currentVersionId
        )
    })
  })
)

interface NamedVersion {
  readonly accountId: AccountId
  readonly taskId: TaskId
  readonly versionId: TaskVersionId
  readonly at: DateTime.Utc
  readonly audit?: Audit<[task: Task, naming: Naming]> | undefined
}

const touched = (row: TaskRow, at: DateTime.Utc): TaskRow => ({
  ...row,
  task: { ...row.task, updatedAt: at }
})

const meantId = (row: TaskRow, selector: VersionSelector): TaskVersionId | null | undefined => {
  switch (selector._tag) {
    case "Current":
      return row.currentVersionId
    case "ByTag":
      return row.tags.get(selector.name)
    case "ById":
      return selector.id
    case "ByNumber":
      return row.versionIds[selector.number - 1]
  }
}

const matches = ({ task, tags }: TaskRow, { ids, text, tag }: TaskFilter): boolean =>
  (ids === null || ids.includes(task.id)) &&
  (text === null ||
    [task.slug, task.name].some((field) => field.toLowerCase().includes(text.toLowerCase()))) &&
  (tag === null || tags.has(tag))
