/** Reasons to refuse a well-formed request. */
import * as Schema from "effect/Schema"
import { AccountId, AgentId, ExecutionId, TaskId } from "./Ids.ts"

/** A field breaks a rule that its form alone does not show. */
export class InvalidField extends Schema.TaggedError<InvalidField>()("InvalidField", {
  /** Where, as in the request body: `["expires_at"]`. */
  path: Schema.Array(Schema.String),
  rule: Schema.String
}) {
  override get message() {
    return `${this.path.join(".")}: ${this.rule}`
  }
}

/** The key may not use that task or agent. */
export class ScopeViolation extends Schema.TaggedError<ScopeViolation>()("ScopeViolation", {
  field: Schema.Literals(["task_id", "agent_id"]),
  id: Schema.String
}) {
  override get message() {
    return `This key may not use ${this.field} ${this.id}`
  }
}

/** A key would change work of a task or an agent that it may not use. */
export class OutOfScope extends Schema.TaggedError<OutOfScope>()("OutOfScope", {}) {
  override get message() {
    return "This key may not change work of this task or on this agent"
  }
}

/** The key lacks the capability that the call needs. */
export class MissingCapability extends Schema.TaggedError<MissingCapability>()("MissingCapability", {
  capability: Schema.String
}) {
  override get message() {
    return `This key lacks the capability ${this.capability}`
  }
}

/** The person's role does not allow this. */
export class RoleTooLow extends Schema.TaggedError<RoleTooLow>()("RoleTooLow", {
  /** Who may; the operator is the holder of the admin key. */
  required: Schema.Literals(["admin", "operator"])
}) {
  override get message() {
    return this.required === "admin"
      ? "Your role may look, and not change: this takes the role admin"
      : "This is for operators, who have the admin key"
  }
}

/** A page of another site may have sent this, with a cookie that is not its own. */
export class CrossSiteRequest extends Schema.TaggedError<CrossSiteRequest>()("CrossSiteRequest", {}) {
  override get message() {
    return "Changes by a session must come from the Integrations page: with the Origin of the service, and the header X-Runhook-Console: 1"
  }
}

/** The task accepts no executions now. */
export class TaskDisabled extends Schema.TaggedError<TaskDisabled>()("TaskDisabled", { id: TaskId }) {
  override get message() {
    return `Task ${this.id} is disabled`
  }
}

/** The agent accepts no executions now. */
export class AgentDisabled extends Schema.TaggedError<AgentDisabled>()("AgentDisabled", { id: AgentId }) {
  override get message() {
    return `Agent ${this.id} is disabled`
  }
}

/** No such account. */
export class AccountNotFound extends Schema.TaggedError<AccountNotFound>()("AccountNotFound", {
  id: AccountId
}) {
  override get message() {
    return `There is no account ${this.id}`
  }
}

/** No such execution in the account. */
export class ExecutionNotFound extends Schema.TaggedError<ExecutionNotFound>()("ExecutionNotFound", {
  id: ExecutionId
}) {
  override get message() {
    return `There is no execution ${this.id}`
  }
}

/** The execution has something to come yet: its end, or the delivery of a callback. */
export class NotRemovable extends Schema.TaggedError<NotRemovable>()("NotRemovable", {
  id: ExecutionId,
  reason: Schema.Literals(["unfinished", "callbacks_pending"])
}) {
  override get message() {
    return this.reason === "unfinished"
      ? `Execution ${this.id} has not ended: cancel it first`
      : `Callbacks of execution ${this.id} are still being delivered: wait until they have arrived or are given up`
  }
}

/** The key was used before, for a different request. */
export class IdempotencyConflict extends Schema.TaggedError<IdempotencyConflict>()("IdempotencyConflict", {
  executionId: ExecutionId
}) {
  override get message() {
    return "This Idempotency-Key was used before with a different request body"
  }
}

/** The limit of unfinished executions is reached. */
export class ConcurrencyLimitReached extends Schema.TaggedError<ConcurrencyLimitReached>()(
  "ConcurrencyLimitReached",
  {
    scope: Schema.Literals(["account", "key"]),
    limit: Schema.Int
  }
) {
  override get message() {
    return `This ${this.scope} has reached its limit of ${this.limit} unfinished executions`
  }
}

/** The concurrency key has no seat for an execution that is not to wait for one. */
export class NoSeatLeft extends Schema.TaggedError<NoSeatLeft>()("NoSeatLeft", {
  limit: Schema.Int,
  /** Executions of the key that have a seat or wait for one: counted up to the limit. */
  current: Schema.Int
}) {
  override get message() {
    return `This concurrency key has reached its limit of ${this.limit}`
  }
}
