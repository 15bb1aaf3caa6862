/** The work of an execution, queued once more. */
import type { JsonObject } from "../wire/Integration.ts"
import { idempotencyKeyOf, queueOnce, type Request } from "./Creating.ts"
import { canonical } from "./ParamsSchema.ts"
import { noQuery, rerunBody } from "./RequestRules.ts"
import { bodyOf, checkQuery, type Route } from "./Route.ts"
import { find } from "./Runs.ts"
import type { KnownExecution } from "./World.ts"

export const rerun: Route = (asked) => {
  const key = idempotencyKeyOf(asked)
  checkQuery(asked.query, noQuery)
  const body: { readonly version?: "current" | "same"; readonly params?: JsonObject } =
    asked.text === "" ? {} : bodyOf(asked, rerunBody, 422)
  const { params, version = "same" } = body
  const before = find(asked.world, asked.params["id"] ?? "")
  return queueOnce(asked, {
    key,
    request: requestTo(before, { params, version }),
    // Of what was said, since what the execution had may be another's too.
    fingerprint: canonical({ rerun_of: before.id, version, ...(params === undefined ? {} : { params }) }),
    rerunOf: before.id
  })
}

/** The request that queues it again, at once. */
const requestTo = (
  { callbackEvents, callbackUrl, fields, id, timeoutSeconds }: KnownExecution,
  { params, version }: { readonly params: JsonObject | undefined; readonly version: "current" | "same" }
): Request => ({
  agent_id: fields.agent_id,
  task_id: version === "current" ? fields.task_id : undefined,
  task_version_id: version === "same" ? fields.task_version_id : undefined,
  version: undefined,
  v: undefined,
  params: params ?? fields.params,
  // Its own id stood for a reference that nobody gave.
  reference: fields.reference === id ? null : fields.reference,
  metadata: fields.metadata,
  callback_url: callbackUrl,
  callback_events: callbackEvents,
  scheduled_at: null,
  priority: fields.priority,
  hold: false,
  expires_at: null,
  timeout_seconds: timeoutSeconds
})
