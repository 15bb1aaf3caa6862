/** What runners say, from the wire to the domain. */
import type { CompleteBody } from "@runhook/contract/runs/OutcomeWire"
import type {
  AskBody,
  ClaimBody,
  HeartbeatBody,
  OpenSessionBody,
  RegisterArtifactBody
} from "@runhook/contract/runs/RunnerWire"
import type { LinesOn, SaidLine } from "@runhook/core/runs/LogLine"
import type { ReportOn } from "@runhook/core/runs/Progress"
import type { InFlight } from "@runhook/core/runs/Lease"
import type { Capture } from "@runhook/core/artifacts/Artifacts"
import type { Introduction, Question } from "@runhook/core/runs/Runs"
import * as Duration from "effect/Duration"

export const introduction = (body: typeof OpenSessionBody.Type): Introduction => ({
  instanceId: body.instance_id,
  runnerName: body.runner_name,
  version: body.version ?? null,
  agentIds: body.agent_ids ?? null,
  capacity: body.capacity,
  labels: body.labels ?? {}
})

export const inFlight = (list: typeof ClaimBody.Type.in_flight = []): ReadonlyArray<InFlight> =>
  list.map(({ execution_id, epoch }) => ({ executionId: execution_id, epoch }))

export const reports = (beats: typeof HeartbeatBody.Type.beats): ReadonlyArray<ReportOn> =>
  beats.flatMap(({ epoch, execution_id, progress }) => {
    if (progress === undefined) return []
    const { message = null, percent = null, step = null } = progress
    return [{ executionId: execution_id, epoch, percent, message, step }]
  })

export const logs = (beats: typeof HeartbeatBody.Type.beats): ReadonlyArray<LinesOn> =>
  beats.flatMap((beat) =>
    beat.logs === undefined
      ? []
      : [{ executionId: beat.execution_id, epoch: beat.epoch, lines: saidLines(beat.logs) }]
  )

export const saidLines = (lines: typeof CompleteBody.Type.logs = []): ReadonlyArray<SaidLine> =>
  lines.map(({ age_ms = 0, level, message, number = null }) => ({
    level,
    message,
    number,
    ageMillis: age_ms
  }))

export const capture = (body: typeof RegisterArtifactBody.Type): Capture => ({
  kind: body.kind,
  fileName: body.file_name,
  contentType: body.content_type,
  sizeBytes: body.size_bytes,
  sha256: body.sha256,
  platformId: body.platform_id ?? null,
  handler: body.handler ?? null,
  startedOffsetMs: body.started_offset_ms ?? null
})

export const question = (body: typeof AskBody.Type): Question => ({
  key: body.input_key,
  prompt: body.prompt,
  schema: body.schema,
  expiresIn: Duration.seconds(body.expires_in_s),
  onTimeout: body.on_timeout,
  defaultValue: body.default ?? null,
  mode: body.mode
})
