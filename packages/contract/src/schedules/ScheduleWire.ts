/** Schedules on the wire. */
import { Name } from "@runhook/core/accounts/Account"
import { ExecutionEventType } from "@runhook/core/deliveries/WebhookEventType"
import { Priority, TimeoutSeconds } from "@runhook/core/executions/Execution"
import { ExecutionStatus } from "@runhook/core/executions/ExecutionStatus"
import { ConcurrencyLimit, ConcurrencyPolicy } from "@runhook/core/runs/seats/Concurrency"
import { AgentId, ApiKeyId, ExecutionId, ScheduleId, TaskId, TaskVersionId } from "@runhook/core/shared/Ids"
import { KnownJsonObject } from "@runhook/core/shared/json/Json"
import { isStorable } from "@runhook/core/shared/json/JsonText"
import { cronLengthMax } from "@runhook/core/schedules/CronRule"
import { lateAfter, madeUpMax } from "@runhook/core/schedules/DueStep"
import {
  EverySeconds,
  JitterSeconds,
  Missed,
  Overlap,
  ScheduleOutcome
} from "@runhook/core/schedules/Schedule"
import { Timestamp } from "@runhook/core/shared/Timestamp"
import * as Duration from "effect/Duration"
import * as Schema from "effect/Schema"
import { ErrorObject } from "../Errors.ts"
import { described } from "../shared/Described.ts"
import { bodyOf, pageOf } from "../shared/Envelope.ts"
import { CreateExecutionBody } from "../executions/ExecutionWire.ts"

/** Longest name of a time zone. */
const zoneLengthMax = 100

const cron = Schema.NullOr(Schema.String.check(Schema.isBetweenLength(1, cronLengthMax))).pipe(
  described(
    "Minute, hour, day of month, month, day of week, in the time zone; or give every_seconds. null: not given."
  )
)
const timeZone = Schema.NullOr(Schema.String.check(Schema.isBetweenLength(1, zoneLengthMax))).pipe(
  described("A name of the time zone database, such as Europe/Berlin; given with cron. null: not given.")
)
const everySeconds = Schema.NullOr(EverySeconds).pipe(
  described(
    "Seconds between due times, counted from starts_at, or else from when this value was given first. null: not given."
  )
)
const startsAt = Schema.NullOr(Timestamp).pipe(described("No due time is earlier."))
const endsAt = Schema.NullOr(Timestamp).pipe(described("No due time is later."))
const overlap = Overlap.pipe(
  described(
    "What a due time does while an earlier execution of the schedule is unfinished: begin another, skip itself, or cancel the other."
  )
)
const missed = Missed.pipe(
  described(
    `Which due times are made up for that are more than ${Duration.toSeconds(lateAfter)} seconds late, as after an outage: none, one for all, or the last ${madeUpMax}.`
  )
)
const jitterSeconds = JitterSeconds.pipe(
  described("Each due time is created up to so much later, always by the same part of it.")
)
const enabled = Schema.Boolean.pipe(described("Whether it is due at all: false is a pause."))

const timing = {
  cron: Schema.optionalKey(cron),
  time_zone: Schema.optionalKey(timeZone),
  every_seconds: Schema.optionalKey(everySeconds),
  starts_at: Schema.optionalKey(startsAt),
  ends_at: Schema.optionalKey(endsAt)
}

const newSchedule = {
  name: Name,
  ...timing,
  overlap: Schema.optionalKey(overlap.pipe(described("`allow` unless given.", "allow"))),
  missed: Schema.optionalKey(missed.pipe(described("`last` unless given.", "last"))),
  jitter_seconds: Schema.optionalKey(jitterSeconds.pipe(described("0 unless given.", 0))),
  enabled: Schema.optionalKey(enabled.pipe(described("true unless given.", true))),
  execution: CreateExecutionBody
}

const change = {
  name: Schema.optionalKey(Name),
  ...timing,
  overlap: Schema.optionalKey(overlap),
  missed: Schema.optionalKey(missed),
  jitter_seconds: Schema.optionalKey(jitterSeconds),
  enabled: Schema.optionalKey(enabled),
  execution: Schema.optionalKey(CreateExecutionBody)
}

const keyId = ApiKeyId.pipe(
  described(
    "The key that creates its executions: within its tasks, agents and limits, signed with its secret."
  )
)

export const NewScheduleBody = Schema.Struct(newSchedule).annotate({
  identifier: "CreateSchedule",
  description: "A request for an execution, and when it is made again and again."
})

export const NewScheduleAsBody = Schema.Struct({ ...newSchedule, key_id: keyId }).annotate({
  identifier: "AdminCreateSchedule",
  description: "A schedule in the name of a key."
})

export const ScheduleChangeBody = Schema.Struct(change).annotate({
  identifier: "UpdateSchedule",
  description:
    "What is to change. With other times, or enabled again, it goes on with the first due time from then. A value that it has already changes nothing. Who changes anything but its name, other than by a pause, takes it over by their key, which must be allowed to create what it asks for."
})

export const ScheduleChangeAsBody = Schema.Struct({ ...change, key_id: Schema.optionalKey(keyId) }).annotate({
  identifier: "AdminUpdateSchedule",
  description: "What is to change. With key_id, executions are created by that key from then on."
})

export const ScheduledExecution = Schema.Struct({
  agent_id: AgentId,
  task_id: Schema.optionalKey(TaskId),
  task_version_id: Schema.optionalKey(TaskVersionId),
  version: Schema.optionalKey(Schema.String),
  v: Schema.optionalKey(Schema.Int),
  params: KnownJsonObject,
  reference: Schema.optionalKey(Schema.String),
  metadata: KnownJsonObject,
  callback_url: Schema.NullOr(Schema.String),
  callback_events: Schema.NullOr(Schema.Array(ExecutionEventType)),
  priority: Priority,
  hold: Schema.Boolean,
  timeout_seconds: Schema.NullOr(TimeoutSeconds),
  concurrency_key: Schema.NullOr(Schema.String),
  concurrency_limit: Schema.optionalKey(ConcurrencyLimit),
  concurrency_policy: Schema.optionalKey(ConcurrencyPolicy)
}).annotate({
  identifier: "ScheduledExecution",
  description: "What each due time creates: a body of POST /executions."
})

const RefusedCreate = Schema.Struct({
  code: ErrorObject.fields.code,
  message: Schema.String,
  details: Schema.Json
}).annotate({ identifier: "RefusedCreate", description: "What a create would have answered." })

const LastDue = Schema.Struct({
  at: Timestamp.pipe(described("The due time.")),
  execution_id: Schema.NullOr(ExecutionId).pipe(described("What it created; null if it created nothing.")),
  outcome: ScheduleOutcome.pipe(
    described(
      "`created`; `skipped` since an earlier execution was unfinished; `missed`; or `refused`, as a create would have been."
    )
  ),
  error: Schema.NullOr(RefusedCreate)
}).annotate({ identifier: "LastDue", description: "What came of a due time." })

const fields = {
  id: ScheduleId,
  name: Name,
  key_id: keyId,
  cron: Schema.NullOr(Schema.String),
  time_zone: Schema.NullOr(Schema.String),
  every_seconds: Schema.NullOr(Schema.Int),
  starts_at: startsAt,
  ends_at: endsAt,
  overlap,
  missed,
  jitter_seconds: JitterSeconds,
  enabled: enabled.pipe(
    described("Whether it is due at all. It becomes false by itself when its key is revoked or expires.")
  ),
  execution: ScheduledExecution,
  next_at: Schema.Array(Timestamp).pipe(
    described("The next due times, five at most, without jitter; none during a pause.")
  ),
  last: Schema.NullOr(LastDue),
  created_at: Timestamp,
  updated_at: Timestamp
}

export const ScheduleItem = Schema.Struct(fields).annotate({
  identifier: "Schedule",
  description: "A request for an execution that is made again and again."
})

export const ScheduleDetail = bodyOf("ScheduleDetail", "A schedule.", fields)

export const SchedulePage = pageOf("SchedulePage", ScheduleItem)

export const TriggerScheduleBody = Schema.Struct({
  params: Schema.optionalKey(KnownJsonObject.check(isStorable)).pipe(
    described("In place of those of the schedule.")
  )
}).annotate({ identifier: "TriggerSchedule", description: "How this one execution differs." })

export const ScheduleTriggered = bodyOf("ScheduleTriggered", "The execution that was created.", {
  schedule_id: ScheduleId,
  execution_id: ExecutionId,
  status: ExecutionStatus
})
