/** Tasks and their versions on the wire. */
import { Name } from "@runhook/core/accounts/Account"
import { Description, Slug } from "@runhook/core/catalog/Task"
import { TagName } from "@runhook/core/catalog/VersionSelector"
import { TimeoutSeconds } from "@runhook/core/executions/Execution"
import { PlatformId, TaskId, TaskVersionId } from "@runhook/core/shared/Ids"
import { KnownJsonObject } from "@runhook/core/shared/json/Json"
import { isStorable } from "@runhook/core/shared/json/JsonText"
import { Timestamp } from "@runhook/core/shared/Timestamp"
import * as Schema from "effect/Schema"
import { described } from "../shared/Described.ts"
import { bodyOf } from "../shared/Envelope.ts"
import { NewRetryPolicy, RetryPolicy } from "../executions/RetryWire.ts"

/** Platforms one task may name. */
const platformsMax = 50

export const Platform = Schema.Struct({ platform_id: PlatformId, name: Name, handler: Name }).annotate({
  identifier: "Platform",
  description: "A system the task works on."
})

export const VersionInfo = Schema.Struct({
  id: TaskVersionId,
  number: Schema.Int,
  tags: Schema.Array(TagName),
  published_at: Timestamp
}).annotate({
  identifier: "TaskVersion",
  description: "One published version of a task, which never changes."
})

const taskFields = {
  id: TaskId,
  slug: Slug,
  name: Name,
  description: Description,
  platforms: Schema.Array(Platform),
  current_version: Schema.NullOr(VersionInfo),
  latest_version: Schema.NullOr(VersionInfo),
  tags: Schema.Record(Schema.String, TaskVersionId).pipe(described("Which version each tag names.")),
  enabled: Schema.Boolean,
  created_at: Timestamp,
  updated_at: Timestamp
}

const detailFields = {
  ...taskFields,
  params_schema_url: Schema.String,
  result_schema: Schema.NullOr(KnownJsonObject),
  timeout_seconds: Schema.NullOr(TimeoutSeconds).pipe(
    described("Longest run once started; null for no limit.")
  ),
  retry: RetryPolicy
}

export const TaskItem = Schema.Struct(taskFields).annotate({
  identifier: "Task",
  description: "A task as lists show it."
})

export const TaskDetail = bodyOf("TaskDetail", "A task with its policies.", detailFields)

export const ParamsSchema = bodyOf("ParamsSchema", "The JSON Schema of a version's params.", {
  task_id: TaskId,
  task_version_id: TaskVersionId,
  version_number: Schema.Int,
  schema: KnownJsonObject
})

export const NewTaskBody = Schema.Struct({
  slug: Slug,
  name: Name,
  description: Schema.optionalKey(Description),
  platforms: Schema.optionalKey(Schema.Array(Platform).check(Schema.isMaxLength(platformsMax))),
  timeout_seconds: Schema.optionalKey(Schema.NullOr(TimeoutSeconds)).pipe(
    described("Longest run once started; unlimited unless given.")
  ),
  retry: Schema.optionalKey(NewRetryPolicy)
}).annotate({ identifier: "CreateTask" })

export const TaskChangeBody = Schema.Struct({
  name: Schema.optionalKey(Name),
  description: Schema.optionalKey(Description),
  platforms: Schema.optionalKey(Schema.Array(Platform).check(Schema.isMaxLength(platformsMax))),
  timeout_seconds: Schema.optionalKey(Schema.NullOr(TimeoutSeconds)).pipe(
    described("Longest run once started; null for no limit.")
  ),
  retry: Schema.optionalKey(NewRetryPolicy),
  enabled: Schema.optionalKey(Schema.Boolean)
}).annotate({ identifier: "UpdateTask" })

export const NewVersionBody = Schema.Struct({
  params_schema: KnownJsonObject.check(isStorable),
  result_schema: Schema.optionalKey(Schema.NullOr(KnownJsonObject.check(isStorable))),
  tags: Schema.optionalKey(Schema.Array(TagName).check(Schema.isMaxLength(20))),
  make_current: Schema.optionalKey(Schema.Boolean).pipe(described("true unless given."))
}).annotate({ identifier: "PublishVersion" })

const SchemaWarning = Schema.Struct({
  field: Schema.Literals(["params_schema", "result_schema"]),
  path: Schema.String.pipe(described("JSON Pointer in this schema.")),
  keyword: Schema.String,
  message: Schema.String
}).annotate({
  identifier: "SchemaWarning",
  description: "Something in a schema that nothing checks, such as an unknown keyword or format."
})

const warnings = Schema.Array(SchemaWarning).pipe(
  described("What is in the schemas and is not checked; at most 50 of each.")
)

export const VersionPublished = bodyOf("VersionPublished", "The version, which never changes again.", {
  id: TaskVersionId,
  number: Schema.Int,
  tags: Schema.Array(TagName),
  published_at: Timestamp,
  warnings
})

export const WouldPublish = bodyOf("WouldPublish", "The schemas are usable; nothing was stored.", {
  would_publish: Schema.Literal(true),
  warnings
})

export const VersionDetail = bodyOf("TaskVersionDetail", "A version with its schemas.", {
  id: TaskVersionId,
  task_id: TaskId,
  number: Schema.Int,
  tags: Schema.Array(TagName),
  is_current: Schema.Boolean,
  params_schema: KnownJsonObject,
  result_schema: Schema.NullOr(KnownJsonObject).pipe(
    described("The JSON Schema of the result; null if the version promises nothing.")
  ),
  published_at: Timestamp
})

export const VersionRefBody = Schema.Struct({ version_id: TaskVersionId }).annotate({
  identifier: "VersionRef"
})
