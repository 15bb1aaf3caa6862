/** Tasks and their versions as their rows hold them. */
import { Task, TaskVersion, type TaskVersionSummary, type TaskView } from "@runhook/core/domain/catalog/Task"
import { TaskVersionId } from "@runhook/core/domain/Ids"
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"

/** The columns of a `Task`, of a row `t`. */
export const taskRowColumns = `
  t.id, t.account_id AS "accountId", t.slug, t.name, t.description, t.platforms,
  t.timeout_seconds AS "timeoutSeconds", t.max_attempts AS "maxAttempts", t.retry_backoff AS "retryBackoff",
  t.enabled,
  t.created_at AS "createdAt", t.updated_at AS "updatedAt"`

/** The columns of a `TaskVersion`, of a row `v`. */
export const versionColumns = `
  v.id AS "versionId", v.number, v.params_schema AS "paramsSchema", v.result_schema AS "resultSchema",
  v.published_at AS "publishedAt"`

const Tags = Schema.Array(Schema.Struct({ name: Schema.String, versionId: TaskVersionId }))

/** A task with one of its versions. */
export const VersionedTaskRow = Schema.Struct({
  ...Task.fields,
  versionId: TaskVersionId,
  ...Struct.pick(TaskVersion.fields, ["number", "paramsSchema", "resultSchema", "publishedAt"])
})

export const versionedTaskOf = (
  row: typeof VersionedTaskRow.Type
): { readonly task: Task; readonly version: TaskVersion } => {
  const { versionId, number, paramsSchema, resultSchema, publishedAt, ...task } = row
  return {
    task,
    version: {
      id: versionId,
      taskId: task.id,
      accountId: task.accountId,
      number,
      paramsSchema,
      resultSchema,
      publishedAt
    }
  }
}

/** A task with its current and its latest version, each null when there is none, and all its tags by name. */
export const TaskViewRow = Schema.Struct({
  ...Task.fields,
  currentId: Schema.NullOr(TaskVersionId),
  currentNumber: Schema.NullOr(TaskVersion.fields.number),
  currentPublishedAt: Schema.NullOr(TaskVersion.fields.publishedAt),
  resultSchema: TaskVersion.fields.resultSchema,
  latestId: Schema.NullOr(TaskVersionId),
  latestNumber: Schema.NullOr(TaskVersion.fields.number),
  latestPublishedAt: Schema.NullOr(TaskVersion.fields.publishedAt),
  tags: Tags
})

export const taskViewOf = (row: typeof TaskViewRow.Type): TaskView => {
  const {
    currentId,
    currentNumber,
    currentPublishedAt,
    resultSchema,
    latestId,
    latestNumber,
    latestPublishedAt,
    tags,
    ...task
  } = row
  const current = { id: currentId, number: currentNumber, publishedAt: currentPublishedAt }
  const latest = { id: latestId, number: latestNumber, publishedAt: latestPublishedAt }
  return {
    task,
    currentVersion: summaryOf(current, tags),
    latestVersion: summaryOf(latest, tags),
    resultSchema,
    tags
  }
}

const summaryOf = (
  version: {
    readonly id: TaskVersionId | null
    readonly number: number | null
    readonly publishedAt: TaskVersion["publishedAt"] | null
  },
  tags: typeof Tags.Type
): TaskVersionSummary | null => {
  const { id, number, publishedAt } = version
  if (id === null || number === null || publishedAt === null) return null
  return { id, number, publishedAt, tags: tags.flatMap((tag) => (tag.versionId === id ? [tag.name] : [])) }
}

/** A version as lists show it. */
export const VersionSummaryRow = Schema.Struct({
  id: TaskVersionId,
  number: TaskVersion.fields.number,
  publishedAt: TaskVersion.fields.publishedAt,
  tags: Schema.Array(Schema.String)
})
