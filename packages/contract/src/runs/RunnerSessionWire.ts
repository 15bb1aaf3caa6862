/** Runners as operators see them. */
import { Name } from "@runhook/core/accounts/Account"
import { Labels } from "@runhook/core/catalog/Agent"
import { AgentId, RunnerKeyId, SessionId } from "@runhook/core/shared/Ids"
import { Timestamp } from "@runhook/core/shared/Timestamp"
import * as Schema from "effect/Schema"
import { described } from "../shared/Described.ts"
import { bodyOf, pageOf } from "../shared/Envelope.ts"

const sessionFields = {
  id: SessionId,
  runner_name: Name,
  instance_id: Schema.String.pipe(described("The process's own name for itself.")),
  version: Schema.NullOr(Schema.String),
  runner_key_id: RunnerKeyId,
  agent_ids: Schema.NullOr(Schema.Array(AgentId)).pipe(
    described("The agents it serves; null: all of the account, including later ones.")
  ),
  status: Schema.Literals(["online", "draining", "silent"]).pipe(
    described("`silent` when it was not heard from in the last 60 seconds.")
  ),
  capacity: Schema.Int.pipe(described("Executions it takes at once.")),
  busy: Schema.Int.pipe(described("Executions it holds, of all its agents.")),
  labels: Labels,
  drain_requested_at: Schema.NullOr(Timestamp),
  created_at: Timestamp,
  last_seen_at: Timestamp.pipe(described("When it last sent a heartbeat, to about ten seconds."))
}

export const RunnerSessionItem = Schema.Struct(sessionFields).annotate({
  identifier: "RunnerSession",
  description: "A runner process, from its hello until a day after its last heartbeat."
})

export const RunnerSessionPage = pageOf("RunnerSessionPage", RunnerSessionItem)

export const RunnerSessionDrained = bodyOf(
  "RunnerSessionDrained",
  "It is given no more work from now on, and is told to leave when it has finished what it has.",
  { id: SessionId, drain_requested_at: Timestamp }
)
