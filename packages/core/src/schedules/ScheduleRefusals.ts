/** What a due time may be refused with, as its schedule keeps it. */
import * as Schema from "effect/Schema"
import { ApiKeyId } from "../shared/Ids.ts"
import { type JsonObject, JsonObject as JsonObjectSchema } from "../shared/json/Json.ts"
import {
  AccountNotFound,
  AgentDisabled,
  ConcurrencyLimitReached,
  InvalidField,
  MissingCapability,
  NoSeatLeft,
  ScopeViolation,
  TaskDisabled
} from "../shared/Refusals.ts"
import { TargetRefused } from "../shared/target/TargetRefused.ts"
import { AgentNotFound } from "../catalog/AgentStore.ts"
import { InvalidParams } from "../executions/params/ParamsValidator.ts"
import { TaskNotFound, VersionNotFound } from "../catalog/TaskStore.ts"

/** The key of the schedule is no longer valid. */
export class KeyUnusable extends Schema.TaggedError<KeyUnusable>()("KeyUnusable", {
  id: ApiKeyId,
  reason: Schema.Literals(["revoked", "expired", "removed"])
}) {
  override get message() {
    const what = { revoked: "was revoked", expired: "has expired", removed: "is gone" }[this.reason]
    return `The key ${this.id} of this schedule ${what}: change the schedule with another key, then enable it`
  }
}

const ScheduleRefusal = Schema.Union([
  AccountNotFound,
  AgentDisabled,
  AgentNotFound,
  ConcurrencyLimitReached,
  InvalidField,
  InvalidParams,
  KeyUnusable,
  MissingCapability,
  NoSeatLeft,
  ScopeViolation,
  TargetRefused,
  TaskDisabled,
  TaskNotFound,
  VersionNotFound
])
export type ScheduleRefusal = typeof ScheduleRefusal.Type

const AsJson = Schema.toCodecJson(ScheduleRefusal)

export const encodeRefusal: (refusal: ScheduleRefusal) => JsonObject = Schema.encodeSync(
  AsJson.pipe(Schema.encodeTo(JsonObjectSchema))
)

/** The refusal that a schedule keeps. */
export const decodeRefusal: (kept: JsonObject) => ScheduleRefusal = Schema.decodeUnknownSync(AsJson)
