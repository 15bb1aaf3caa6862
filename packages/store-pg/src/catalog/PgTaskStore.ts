/** Tasks in PostgreSQL; `TaskVersions` has their versions and tags. */
import type { Task } from "@runhook/core/catalog/Task"
import type { AccountId, TaskId } from "@runhook/core/shared/Ids"
import { SlugTaken, type TaskFilter, TaskNotFound, TaskStore } from "@runhook/core/catalog/TaskStore"
import * as Effect from "effect/Effect"
import { flow } from "effect/Function"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { SqlClient } from "effect/sql/SqlClient"
import * as Struct from "effect/Struct"
import { Buckets } from "../accounts/Buckets.ts"
import { makeNote } from "../audit/AuditEntries.ts"
import { behind, foundField, oneMore, pageWithin, withinBytes } from "../sql/Paging.ts"
import { integer, smallint, text, uuid, uuids } from "../sql/Parameters.ts"
import { inserting, setting } from "../sql/Records.ts"
import { decoded, decodedFirst, idempotentOrDefect, inOneTransaction, orDefect } from "../sql/SqlErrors.ts"
import { taskRowColumns, taskViewOf, TaskViewRow } from "./TaskRow.ts"
import { makeTaskVersions } from "./TaskVersions.ts"

const ListedRow = Schema.Struct({ ...TaskViewRow.fields, ...foundField })
const names = Object.keys(ListedRow.fields)

/** The bytes of a task `v` on a page. */
const bytes = `
  octet_length(v.description) + octet_length(v.platforms::text) + octet_length(v.tags::text)
    + coalesce(octet_length(v."resultSchema"::text), 0)`

export const layer = Layer.effect(
  TaskStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const atomic = inOneTransaction(sql)
    const buckets = yield* Buckets
    const note = yield* makeNote
    const versions = yield* makeTaskVersions

    /** The tasks `t` of a bucket, with a summary of their versions. */
    const views = (bucket: number) => sql`
      SELECT ${sql.literal(taskRowColumns)},
        current.id AS "currentId", current.number AS "currentNumber", current.published_at AS "currentPublishedAt",
        current.result_schema AS "resultSchema",
        latest.id AS "latestId", latest.number AS "latestNumber", latest.published_at AS "latestPublishedAt",
        (
          SELECT coalesce(
            json_agg(json_build_object('name', g.name, 'versionId', g.version_id) ORDER BY g.name), '[]'
          )
          FROM task_tags g
          WHERE g.bucket = ${smallint(bucket)} AND g.account_id = t.account_id AND g.task_id = t.id
        ) AS tags
      FROM tasks t
      LEFT JOIN task_versions current
        ON current.bucket = t.bucket AND current.account_id = t.account_id AND current.id = t.current_version_id
      LEFT JOIN task_versions latest
        ON latest.bucket = t.bucket AND latest.account_id = t.account_id AND latest.task_id = t.id
        AND latest.number = t.version_count
      WHERE t.bucket = ${smallint(bucket)}`

    const get = Effect.fnUntraced(function* (accountId: AccountId, id: TaskId) {
      const bucket = yield* buckets.of(accountId)
      const row = yield* decodedFirst(TaskViewRow)(
        sql`${views(bucket)} AND t.account_id = ${uuid(accountId)} AND t.id = ${uuid(id)}`
      )
      return row === undefined ? yield* new TaskNotFound({ id }) : taskViewOf(row)
    })

    const wanted = ({ ids, tag, text: mention }: TaskFilter) => {
      const folded = mention?.toLowerCase() ?? null
      return sql.and([
        ...(ids === null ? [] : [sql`t.id = ANY (${uuids(ids)})`]),
        ...(folded === null
          ? []
          : [
              sql`(position(${text(folded)} IN t.slug) > 0 OR position(${text(folded)} IN t.folded_name) > 0)`
            ]),
        ...(tag === null
          ? []
          : [
              sql`EXISTS (
                SELECT FROM task_tags g
                WHERE g.bucket = t.bucket AND g.account_id = t.account_id AND g.task_id = t.id
                  AND g.name = ${text(tag)}
              )`
            ])
      ])
    }

    return TaskStore.of({
      create: Effect.fnUntraced(function* (task, audit) {
        const bucket = yield* buckets.of(task.accountId)
        const created = yield* sql`
          INSERT INTO tasks ${inserting(sql, "tasks", { bucket, ...rowOf(task) })}
          ON CONFLICT (bucket, account_id, slug) DO NOTHING
          RETURNING id`
        if (created.length === 0) return yield* new SlugTaken({ slug: task.slug })
        yield* note(audit?.(task))
      }, atomic),

      get: flow(get, idempotentOrDefect),

      list: Effect.fnUntraced(function* (accountId, filter, page) {
        const bucket = yield* buckets.of(accountId)
        const found = sql`
          SELECT v.*, ${sql.literal(bytes)} AS bytes
          FROM (
            ${views(bucket)} AND t.account_id = ${uuid(accountId)}
              AND ${behind(sql, "t.id", page)} AND ${wanted(filter)}
            ORDER BY t.id DESC
            LIMIT ${integer(oneMore(page))}
          ) AS v`
        const rows = yield* decoded(ListedRow)(withinBytes(sql, { rows: found, names }, page))
        const { hasMore, items } = pageWithin(rows, page)
        return { items: items.map((row) => taskViewOf(Struct.omit(row, ["found"]))), hasMore }
      }, idempotentOrDefect),

      update: Effect.fnUntraced(function* ({ accountId, id, change, at, audit }) {
        const bucket = yield* buckets.of(accountId)
        const before = yield* versions.lockedTask({ accountId, taskId: id })
        const task: Task = { ...before, ...change }
        yield* sql`
            UPDATE tasks SET ${setting(sql, "tasks", rowOf({ ...task, updatedAt: at }))}
            WHERE bucket = ${smallint(bucket)} AND account_id = ${uuid(accountId)} AND id = ${uuid(id)}`
        yield* note(audit?.(before, task))
        return yield* get(accountId, id)
      }, atomic),

      publish: flow((options) => sql.withTransaction(versions.publish(options)), orDefect),

      versions: flow(versions.list, idempotentOrDefect),

      resolve: flow(versions.resolve, idempotentOrDefect),

      resolveVersion: flow(versions.resolveById, idempotentOrDefect),

      moveTag: Effect.fnUntraced(function* (options) {
        yield* versions.moveTag(options)
        return yield* get(options.accountId, options.taskId)
      }, atomic),

      removeTag: flow((options) => sql.withTransaction(versions.removeTag(options)), orDefect),

      setCurrent: Effect.fnUntraced(function* (options) {
        yield* versions.setCurrent(options)
        return yield* get(options.accountId, options.taskId)
      }, atomic)
    })
  })
)

const rowOf = (task: Task) => ({ ...task, foldedName: task.name.toLowerCase() })
