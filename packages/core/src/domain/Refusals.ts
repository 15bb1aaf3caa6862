/** Reasons to refuse a well-formed request. */
import * as Schema from "effect/Schema"
import { AgentId, TaskId } from "./Ids.ts"

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
