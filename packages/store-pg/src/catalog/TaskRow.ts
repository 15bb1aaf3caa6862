/** Rows of tasks and their versions. */
import { Task, TaskVersion, type TaskVersionSummary, type TaskView } from "@runhook/core/catalog/Task"
import { TaskVersionId } from "@runhook/core/shared/Ids"
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import { columnsOf, listOf } from "../rows/RowTable.ts"

/** The columns of a `Task`, from a row `t`. */
export const taskRowColumns = listOf(columnsOf(Task, "t."))

const Tags = Schema.Array(Schema.Struct({ name: Schema.String, versionId: TaskVersionId }))

const VersionFields = Schema.Struct({
  versionId: TaskVersionId,
  ...Struct.pick(TaskVersion.fields, ["number", "paramsSchema", "resultSchema", "publishedAt"])
})

/** The columns of a version `v`, besides those of its task. */
export const versionColumns = listOf(columnsOf(VersionFields, "v.", { versionId: "v.id" }))

/** A task with one of its versions. */
export const VersionedTaskRow = Schema.Struct({ ...Task.fields, ...VersionFields.fields })

export const versionedTaskOf = ({
  number,
  paramsSchema,
  publishedAt,
  resultSchema,
  versionId: id,
  ...task
}: typeof VersionedTaskRow.Type): { readonly task: Task; readonly version: TaskVersion } => {
  const { accountId, id: taskId } = task
  return { task, version: { id, taskId, accountId, number, paramsSchema, resultSchema, publishedAt } }
}

/** A task with its current and its latest version, null when there is none, and all its tags by name. */
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
