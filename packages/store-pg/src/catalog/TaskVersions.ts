/** The versions of tasks and the tags that name them, in PostgreSQL. */
import { Task, TaskVersion } from "@runhook/core/catalog/Task"
import { describeSelector, type VersionSelector } from "@runhook/core/catalog/VersionSelector"
import type { AccountId, TaskId, TaskVersionId } from "@runhook/core/shared/Ids"
import type { PageRequest } from "@runhook/core/shared/Page"
import { TagNotFound, TaskNotFound, type TaskStore, VersionNotFound } from "@runhook/core/catalog/TaskStore"
import type * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { Buckets } from "../accounts/Buckets.ts"
import { makeNote } from "../audit/AuditEntries.ts"
import { newest, pageOf } from "../sql/Paging.ts"
import { boolean, integer, json, smallint, text, texts, timestamptz, uuid } from "../sql/Parameters.ts"
import { decoded, decodedFirst } from "../sql/SqlErrors.ts"
import {
  taskRowColumns,
  versionColumns,
  VersionedTaskRow,
  versionedTaskOf,
  VersionSummaryRow
} from "./TaskRow.ts"

const NamedRow = Schema.Struct({ id: TaskVersion.fields.id, number: TaskVersion.fields.number })

interface TaskRef {
  readonly accountId: AccountId
  readonly taskId: TaskId
}

type Named = Parameters<TaskStore["Service"]["setCurrent"]>[0]

export const makeTaskVersions = Effect.gen(function* () {
  const sql = yield* SqlClient
  const buckets = yield* Buckets
  const note = yield* makeNote

  const taskOf = Effect.fnUntraced(function* ({ accountId, taskId }: TaskRef, lock: Fragment) {
    const bucket = yield* buckets.of(accountId)
    const task = yield* decodedFirst(Task)(sql`
      SELECT ${sql.literal(taskRowColumns)}
      FROM tasks t
      WHERE t.bucket = ${smallint(bucket)} AND t.account_id = ${uuid(accountId)} AND t.id = ${uuid(taskId)}
      ${lock}`)
    return task ?? (yield* new TaskNotFound({ id: taskId }))
  })

  const requireTask = (ref: TaskRef) => taskOf(ref, sql``)

  /** Locks the task, so that of two concurrent changes the second sees the result of the first. */
  const lockedTask = (ref: TaskRef) => taskOf(ref, sql`FOR UPDATE`)

  /** A task with the version that matches a condition on task `t` and version `v`. */
  const find = Effect.fnUntraced(function* (accountId: AccountId, condition: Fragment) {
    const bucket = yield* buckets.of(accountId)
    const row = yield* decodedFirst(VersionedTaskRow)(sql`
      SELECT ${sql.literal(taskRowColumns)}, ${sql.literal(versionColumns)}
      FROM tasks t
      JOIN task_versions v ON v.bucket = t.bucket AND v.account_id = t.account_id AND v.task_id = t.id
      WHERE t.bucket = ${smallint(bucket)} AND t.account_id = ${uuid(accountId)} AND ${condition}`)
    return row && versionedTaskOf(row)
  })

  const meant = (selector: VersionSelector): Fragment => {
    switch (selector._tag) {
      case "Current":
        return sql`v.id = t.current_version_id`
      case "ByTag":
        return sql`v.id = (
          SELECT g.version_id FROM task_tags g
          WHERE g.bucket = t.bucket AND g.account_id = t.account_id AND g.task_id = t.id
            AND g.name = ${text(selector.name)}
        )`
      case "ById":
        return sql`v.id = ${uuid(selector.id)}`
      case "ByNumber":
        return sql`v.number = ${integer(selector.number)}`
    }
  }

  const touch = Effect.fnUntraced(function* ({ accountId, taskId }: TaskRef, at: DateTime.Utc) {
    const bucket = yield* buckets.of(accountId)
    yield* sql`
      UPDATE tasks
      SET updated_at = ${timestamptz(at)}
      WHERE bucket = ${smallint(bucket)} AND account_id = ${uuid(accountId)} AND id = ${uuid(taskId)}`
  })

  /** The version `v` of a task that matches a condition; null when there is none. */
  const named = Effect.fnUntraced(function* ({ accountId, taskId }: TaskRef, condition: Fragment) {
    const bucket = yield* buckets.of(accountId)
    const version = yield* decodedFirst(NamedRow)(sql`
      SELECT v.id, v.number
      FROM task_versions v
      WHERE v.bucket = ${smallint(bucket)} AND v.account_id = ${uuid(accountId)} AND v.task_id = ${uuid(taskId)}
        AND ${condition}`)
    return version ?? null
  })

  const namedById = Effect.fnUntraced(function* (ref: TaskRef, id: TaskVersionId) {
    const version = yield* named(ref, sql`v.id = ${uuid(id)}`)
    return version ?? (yield* new VersionNotFound({ selector: describeSelector({ _tag: "ById", id }) }))
  })

  const tagged = Effect.fnUntraced(function* (ref: TaskRef, name: string) {
    const bucket = yield* buckets.of(ref.accountId)
    return yield* named(
      ref,
      sql`v.id = (
        SELECT g.version_id FROM task_tags g
        WHERE g.bucket = ${smallint(bucket)} AND g.account_id = ${uuid(ref.accountId)}
          AND g.task_id = ${uuid(ref.taskId)} AND g.name = ${text(name)}
      )`
    )
  })

  const publish = Effect.fnUntraced(function* (options: Parameters<TaskStore["Service"]["publish"]>[0]) {
    const { audit, version, tags, makeCurrent } = options
    const { accountId, id, publishedAt, taskId } = version
    const task = yield* lockedTask(version)
    const bucket = yield* buckets.of(accountId)
    const published = yield* decodedFirst(VersionSummaryRow)(sql`
      -- The task counts one more version, which may be its current one.
      WITH task AS (
        UPDATE tasks
        SET version_count = version_count + 1, updated_at = ${timestamptz(publishedAt)},
          current_version_id = CASE WHEN ${boolean(makeCurrent)} THEN ${uuid(id)} ELSE current_version_id END
        WHERE bucket = ${smallint(bucket)} AND account_id = ${uuid(accountId)} AND id = ${uuid(taskId)}
        RETURNING version_count
      ),
      -- The tags move to the version.
      tagged AS (
        INSERT INTO task_tags (bucket, account_id, task_id, name, version_id)
        SELECT ${smallint(bucket)}, ${uuid(accountId)}, ${uuid(taskId)}, tag, ${uuid(id)}
        FROM task CROSS JOIN (SELECT DISTINCT unnest(${texts(tags)}) AS tag) AS tags
        ON CONFLICT (bucket, account_id, task_id, name) DO UPDATE SET version_id = excluded.version_id
        RETURNING name
      ),
      -- The version, under its number.
      stored AS (
        INSERT INTO task_versions (
          bucket, account_id, id, task_id, number, params_schema, result_schema, published_at
        )
        SELECT ${smallint(bucket)}, ${uuid(accountId)}, ${uuid(id)}, ${uuid(taskId)}, version_count,
          ${json(JSON.stringify(version.paramsSchema))},
          ${json(version.resultSchema && JSON.stringify(version.resultSchema))},
          ${timestamptz(publishedAt)}
        FROM task
        RETURNING id, number, published_at
      )
      SELECT id, number, published_at AS "publishedAt", ARRAY(SELECT name FROM tagged ORDER BY name) AS tags
      FROM stored`)
    if (published === undefined) return yield* new TaskNotFound({ id: taskId })
    yield* note(audit?.(task, published))
    return published
  })

  const list = Effect.fnUntraced(function* (task: TaskRef, page: PageRequest) {
    const { accountId, taskId } = task
    yield* requireTask(task)
    const bucket = yield* buckets.of(accountId)
    const rows = yield* decoded(VersionSummaryRow)(sql`
      SELECT v.id, v.number, v.published_at AS "publishedAt", ARRAY(
        SELECT g.name FROM task_tags g
        WHERE g.bucket = v.bucket AND g.account_id = v.account_id AND g.task_id = v.task_id
          AND g.version_id = v.id
        ORDER BY g.name
      ) AS tags
      FROM task_versions v
      WHERE v.bucket = ${smallint(bucket)} AND v.account_id = ${uuid(accountId)} AND v.task_id = ${uuid(taskId)}
        AND ${newest(sql, "v.id", page)}`)
    return pageOf(rows, page)
  })

  const resolve = Effect.fnUntraced(function* (options: TaskRef & { readonly selector: VersionSelector }) {
    const { accountId, selector, taskId } = options
    const found = yield* find(accountId, sql`t.id = ${uuid(taskId)} AND ${meant(selector)}`)
    if (found !== undefined) return found
    yield* requireTask(options)
    return yield* new VersionNotFound({ selector: describeSelector(selector) })
  })

  const resolveById = Effect.fnUntraced(function* (options: {
    readonly accountId: AccountId
    readonly versionId: TaskVersionId
  }) {
    const selector = { _tag: "ById", id: options.versionId } as const
    const found = yield* find(options.accountId, meant(selector))
    return found ?? (yield* new VersionNotFound({ selector: describeSelector(selector) }))
  })

  const moveTag = Effect.fnUntraced(function* (options: Named & { readonly name: string }) {
    const { accountId, at, audit, name, taskId, versionId } = options
    const bucket = yield* buckets.of(accountId)
    const task = yield* lockedTask(options)
    const after = yield* namedById(options, versionId)
    const before = yield* tagged(options, name)
    yield* sql`
      INSERT INTO task_tags (bucket, account_id, task_id, name, version_id)
      VALUES (
        ${smallint(bucket)}, ${uuid(accountId)}, ${uuid(taskId)}, ${text(name)}, ${uuid(versionId)}
      )
      ON CONFLICT (bucket, account_id, task_id, name) DO UPDATE SET version_id = excluded.version_id`
    yield* touch(options, at)
    yield* note(audit?.(task, { before, after }))
  })

  const removeTag = Effect.fnUntraced(function* (options: Parameters<TaskStore["Service"]["removeTag"]>[0]) {
    const { accountId, at, audit, name, taskId } = options
    const bucket = yield* buckets.of(accountId)
    const task = yield* lockedTask(options)
    const before = yield* tagged(options, name)
    if (before === null) return yield* new TagNotFound({ name })
    yield* sql`
      DELETE FROM task_tags
      WHERE bucket = ${smallint(bucket)} AND account_id = ${uuid(accountId)} AND task_id = ${uuid(taskId)}
        AND name = ${text(name)}`
    yield* touch(options, at)
    yield* note(audit?.(task, before))
  })

  const setCurrent = Effect.fnUntraced(function* (options: Named) {
    const { accountId, at, audit, taskId, versionId } = options
    const bucket = yield* buckets.of(accountId)
    const task = yield* lockedTask(options)
    const after = yield* namedById(options, versionId)
    const before = yield* named(
      options,
      sql`v.id = (
        SELECT t.current_version_id FROM tasks t
        WHERE t.bucket = ${smallint(bucket)} AND t.account_id = ${uuid(accountId)} AND t.id = ${uuid(taskId)}
      )`
    )
    yield* sql`
      UPDATE tasks
      SET current_version_id = ${uuid(versionId)}, updated_at = ${timestamptz(at)}
      WHERE bucket = ${smallint(bucket)} AND account_id = ${uuid(accountId)} AND id = ${uuid(taskId)}`
    yield* note(audit?.(task, { before, after }))
  })

  return { lockedTask, publish, list, resolve, resolveById, moveTag, removeTag, setCurrent }
})
