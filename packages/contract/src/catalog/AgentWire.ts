/** Agents on the wire. */
import { Name } from "@runhook/core/accounts/Account"
import { AgentState, AgentStatus, Capacity, Labels } from "@runhook/core/catalog/Agent"
import { Description } from "@runhook/core/catalog/Task"
import { AgentId } from "@runhook/core/shared/Ids"
import { Timestamp } from "@runhook/core/shared/Timestamp"
import * as Schema from "effect/Schema"
import { described } from "../shared/Described.ts"
import { bodyOf } from "../shared/Envelope.ts"

const fields = {
  id: AgentId,
  name: Name,
  description: Description,
  status: AgentStatus,
  labels: Labels,
  capacity: Capacity.pipe(described("Executions it runs at once.")),
  busy: Schema.Int.pipe(described("Executions it runs now.")),
  queued: Schema.Int.pipe(described("Executions waiting for it.")),
  runners: Schema.Int.pipe(described("Runners that serve it and are present.")),
  last_seen_at: Schema.NullOr(Timestamp).pipe(
    described("When a runner that serves it was last heard from, to about ten seconds.")
  ),
  created_at: Timestamp,
  updated_at: Timestamp
}

export const AgentItem = Schema.Struct(fields).annotate({
  identifier: "Agent",
  description: "An agent with its load and its runners."
})

export const AgentDetail = bodyOf("AgentDetail", "An agent with its load and its runners.", fields)

export const NewAgentBody = Schema.Struct({
  name: Name,
  description: Schema.optionalKey(Description),
  labels: Schema.optionalKey(Labels),
  capacity: Schema.optionalKey(Capacity).pipe(described("Executions it runs at once; 1 unless given."))
}).annotate({ identifier: "CreateAgent" })

export const AgentChangeBody = Schema.Struct({
  name: Schema.optionalKey(Name),
  description: Schema.optionalKey(Description),
  labels: Schema.optionalKey(Labels),
  capacity: Schema.optionalKey(Capacity).pipe(described("Executions it runs at once.")),
  state: Schema.optionalKey(AgentState).pipe(
    described("paused: accepts executions but runs none; disabled: accepts none.")
  )
}).annotate({ identifier: "UpdateAgent" })
