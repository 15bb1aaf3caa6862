/** A task: what can be run, in versions. */
import * as Schema from "effect/Schema"
import { Name } from "../accounts/Account.ts"
import { TimeoutSeconds } from "../executions/Execution.ts"
import { RetryBackoff } from "../executions/RetryBackoff.ts"
import { AccountId, PlatformId, TaskId, TaskVersionId } from "../shared/Ids.ts"
import { type JsonObject, KnownJsonObject } from "../shared/json/Json.ts"
import { jsonBytes, textBytes } from "../shared/json/JsonBytes.ts"
import { isStorableText } from "../shared/json/JsonText.ts"
import { itemBytes } from "../shared/Page.ts"

const descriptionLengthMax = 4_000
export const Description = Schema.String.check(
  Schema.isBetweenCodePoints(0, descriptionLengthMax),
  isStorableText
)

/** A name for machines: lower-case letters, digits and dashes. Unique among the account's tasks. */
export const Slug = Schema.String.check(
  Schema.isPattern(/^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/u, {
    expected: "1 to 64 lower-case letters, digits and dashes, with no dash at either end"
  })
)

export const attemptsMax = 20

/** A system the task works on. */
export const Platform = Schema.Struct({ platformId: PlatformId, name: Name, handler: Name })
export type Platform = typeof Platform.Type

export const Task = Schema.Struct({
  id: TaskId,
  accountId: AccountId,
  slug: Slug,
  name: Name,
  description: Description,
  platforms: Schema.Array(Platform),
  timeoutSeconds: Schema.NullOr(TimeoutSeconds),
  /** How often the work may be started in all; 1 means no retry. */
  maxAttempts: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: attemptsMax })),
  /** How long it waits between attempts. */
  retryBackoff: RetryBackoff,
  /** Whether new executions are accepted. */
  enabled: Schema.Boolean,
  createdAt: Schema.DateTimeUtc,
  updatedAt: Schema.DateTimeUtc
})
export type Task = typeof Task.Type

/** One published version of a task, which never changes. */
export const TaskVersion = Schema.Struct({
  id: TaskVersionId,
  taskId: TaskId,
  accountId: AccountId,
  /** Counts up from 1 within the task. */
  number: Schema.Int,
  paramsSchema: KnownJsonObject,
  resultSchema: Schema.NullOr(KnownJsonObject),
  publishedAt: Schema.DateTimeUtc
})
export type TaskVersion = typeof TaskVersion.Type

/** A version as lists and records name it. */
export interface TaskVersionSummary {
  readonly id: TaskVersionId
  readonly number: number
  /** By name, rising. */
  readonly tags: ReadonlyArray<string>
  readonly publishedAt: TaskVersion["publishedAt"]
}

/** A task with what its record shows of its versions. */
export interface TaskView {
  readonly task: Task
  readonly currentVersion: TaskVersionSummary | null
  readonly latestVersion: TaskVersionSummary | null
  /** Of the current version; null if there is none, or it promises nothing. */
  readonly resultSchema: JsonObject | null
  /** By name, rising. */
  readonly tags: ReadonlyArray<{ readonly name: string; readonly versionId: TaskVersionId }>
}

/** How many bytes a task counts on a page of a list. */
export const taskBytes = ({ resultSchema, tags, task }: TaskView): number =>
  itemBytes +
  textBytes(task.description) +
  jsonBytes(task.platforms.map((platform) => ({ ...platform }))) +
  jsonBytes(resultSchema) +
  jsonBytes(tags.map((tag) => ({ ...tag })))
