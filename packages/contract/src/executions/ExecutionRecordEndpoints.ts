/** What is recorded of an execution: its history, its log, why it waits, and evidence of what ran. */
import { ExecutionId } from "@runhook/core/shared/Ids"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as OpenApi from "effect/http-api/OpenApi"
import type * as Schema from "effect/Schema"
import { operation } from "../Call.ts"
import { Conflict, Forbidden, NotFound } from "../Errors.ts"
import { alsoInEvents, eventForm, resumingHeaders } from "../openapi/EventForm.ts"
import { OtherForms } from "../RequestRules.ts"
import { TakesTurns } from "../Turns.ts"
import { ExecutionEvidence } from "../evidence/EvidenceWire.ts"
import { ExecutionExplained, historyEventExample, HistoryEventList, historyQuery } from "./HistoryWire.ts"
import { logLineExample, LogLineList } from "./LogWire.ts"

/** `path` is what names the account, if anything does. */
export const recordEndpoints = <const Path extends Schema.Struct.Fields>(path: Path) => {
  const params = { ...path, id: ExecutionId }
  return {
    events: HttpApiEndpoint.get("events", "/executions/:id/events", {
      params,
      query: historyQuery,
      headers: resumingHeaders,
      success: HistoryEventList,
      error: [Forbidden, NotFound]
    })
      .annotateMerge(
        operation({
          kind: "call",
          summary: "What happened to an execution",
          description:
            "Every change of the execution after the number `after`, oldest first. With `wait`, in seconds up to 60, the answer comes as soon as there is one, and at once for a finished execution.",
          overHttp:
            "With `Accept: text/event-stream` they come as Server-Sent Events as they happen: `id` is the `sequence`, `event` the `type`, `data` the change as in JSON; a comment comes every 15 seconds when nothing else does. The stream ends after the last change of a finished execution, and the service may end it before: ask again, with the last `id` as `Last-Event-ID`. Then 204 says that everything was told.",
          example: "const { data } = await runhook.executions.events(id, { after: 3, wait: 30 })"
        })
      )
      .annotate(OtherForms, [eventForm])
      .annotate(OpenApi.Transform, alsoInEvents(historyEventExample)),
    logs: HttpApiEndpoint.get("logs", "/executions/:id/logs", {
      params,
      query: historyQuery,
      headers: resumingHeaders,
      success: LogLineList,
      error: [Forbidden, NotFound]
    })
      .annotateMerge(
        operation({
          kind: "call",
          summary: "What the work said",
          description:
            "The lines that the runner logged, after the number `after`, oldest first: the newest 1,000 lines of all attempts. `wait` is as for `events`.",
          overHttp:
            "So are `Accept: text/event-stream` and `Last-Event-ID`; each event of the stream is named `line`.",
          example: "const { data } = await runhook.executions.logs(id, { after: 12, wait: 30 })"
        })
      )
      .annotate(OtherForms, [eventForm])
      .annotate(OpenApi.Transform, alsoInEvents(logLineExample)),
    explain: HttpApiEndpoint.get("explain", "/executions/:id/explain", {
      params,
      success: ExecutionExplained,
      error: [Forbidden, NotFound]
    })
      .annotateMerge(
        operation({
          summary: "Why an execution has not started",
          description:
            "Everything that stands in its way: a time, a pause, no runner, no free slot, others before it.",
          example: "const { position, blocked_by } = await runhook.executions.explain(id)"
        })
      )
      .annotate(TakesTurns, true),
    evidence: HttpApiEndpoint.get("evidence", "/executions/:id/evidence", {
      params,
      success: ExecutionEvidence,
      error: [Conflict, Forbidden, NotFound]
    })
      .annotateMerge(
        operation({
          summary: "Evidence of what ran",
          description:
            "A signed manifest of an execution that has ended: its files with their SHA-256, its history, the version of its task, hashes of its params and result, and who asked for it. Anyone can verify it without the service, by the public keys at `/.well-known/runhook/jwks.json`.",
          overHttp: "409 before the end.",
          fails: { invalid_request: "it has not ended" },
          example: "const { evidence } = await runhook.executions.evidence(id)"
        })
      )
      .annotate(TakesTurns, true)
  }
}
