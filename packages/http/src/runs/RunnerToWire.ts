/** What runners hear, from the domain to the wire. Durations are in milliseconds, counted from the answer. */
import type { Claim as ClaimWire, Command, SessionConfig } from "@runhook/contract/runs/RunnerWire"
import type { Agent } from "@runhook/core/catalog/Agent"
import type { InputRequest } from "@runhook/core/runs/InputRequest"
import type { InFlight, Lease } from "@runhook/core/runs/Lease"
import { attemptUnderLease } from "@runhook/core/runs/LeaseMoves"
import type { Pulse } from "@runhook/core/runs/sessions/Pulse"
import { answerToResumeWith, type RunnerCommand } from "@runhook/core/runs/sessions/RunnerCommand"
import type { RunnerTimings } from "@runhook/core/Settings"
import type { Claim } from "@runhook/core/executions/params/ParamsDefaults"
import type * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"

type Timings = typeof RunnerTimings.Service

export const sessionConfig = (timings: Timings): typeof SessionConfig.Type => ({
  poll_wait_ms: Duration.toMillis(timings.pollWait),
  lease_ms: Duration.toMillis(timings.lease),
  heartbeat_ms: Duration.toMillis(timings.heartbeat),
  start_deadline_ms: Duration.toMillis(timings.startDeadline),
  cancel_grace_ms: Duration.toMillis(timings.cancelGrace),
  finalize_ms: Duration.toMillis(timings.finalize),
  max_artifact_bytes: timings.maxArtifactBytes
})

export const servedAgent = ({ capacity, id, name }: Agent) => ({ id, name, capacity })

/** How long the lease has to live; 0 if it has run out, or is gone. */
export const leaseMillis = (lease: Lease | null, at: DateTime.Utc): number =>
  lease === null ? 0 : Math.max(0, lease.expiresAt.epochMilliseconds - at.epochMilliseconds)

/** Work to do. Runners see the metadata as it is stored, with reserved keys: those are for them. */
export const claimItem = (claim: Claim, at: DateTime.Utc): typeof ClaimWire.Type => {
  const { checkpoint, params, run, task, version } = claim
  const { execution } = run
  const answer = answerToResumeWith(run)
  return {
    execution_id: execution.id,
    attempt: attemptUnderLease(run),
    epoch: execution.epoch,
    lease_ms: leaseMillis(run.lease, at),
    fencing_token: execution.epoch,
    status: execution.status,
    task: { id: task.id, slug: task.slug, version_id: version.id, number: version.number },
    agent_id: execution.agentId,
    params,
    reference: execution.reference,
    metadata: execution.metadata,
    timeout_ms: execution.timeoutSeconds === null ? null : execution.timeoutSeconds * 1000,
    ...(execution.traceparent === null ? {} : { traceparent: execution.traceparent }),
    ...(answer === null ? {} : answerOf(answer)),
    ...(checkpoint === null ? {} : { checkpoint: checkpoint.value })
  }
}

/** The answer to a question, if there is one. */
export const answerOf = ({ answeredAt, id, key, value }: InputRequest) =>
  answeredAt === null ? {} : { input_answer: { input_id: id, input_key: key, value } }

/** The leases that a heartbeat found to be the session's. */
export const leases = ({ held }: Pulse, at: DateTime.Utc) =>
  held.map(({ executionId, lease }) => ({ execution_id: executionId, lease_ms: leaseMillis(lease, at) }))

/** The answer to a heartbeat of any kind. */
export const news = ({ commands, lost }: Pulse, timings: Timings) => ({
  commands: commands.map((command) => commandItem(command, timings)),
  lost: lost.map(inFlightItem)
})

const inFlightItem = ({ epoch, executionId }: InFlight) => ({ execution_id: executionId, epoch })

const commandItem = (command: RunnerCommand, { cancelGrace }: Timings): typeof Command.Type => {
  switch (command._tag) {
    case "Cancel":
      return {
        type: "cancel",
        ...inFlightItem(command),
        reason: command.reason,
        grace_ms: Duration.toMillis(cancelGrace)
      }
    case "InputAnswered":
      return {
        type: "input_answered",
        execution_id: command.executionId,
        input_id: command.inputId,
        value: command.value
      }
    case "Drain":
      return { type: "drain" }
  }
}
