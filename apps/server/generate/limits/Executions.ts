/** What the work of executions may be: runners, their files, jobs and schedules. */
import {
  artifactsPerExecutionMax,
  downloadGrantSeconds,
  fileNameLengthMax,
  uploadGrantSeconds
} from "@runhook/core/artifacts/Artifact"
import { attemptsMax } from "@runhook/core/catalog/Task"
import { manifestEventsMax } from "@runhook/core/evidence/Manifest"
import { countedMax } from "@runhook/core/cancels/CancelJob"
import { aheadMax } from "@runhook/core/executions/history/Explanation"
import { retryWaitMax } from "@runhook/core/executions/RetryBackoff"
import { jobRemembered, jobsAtOnceMax } from "@runhook/core/jobs/Job"
import { pageBytesMax, pageSizeMax } from "@runhook/core/shared/Page"
import { auditKept, retentionDaysMax, retentionDaysMin } from "@runhook/core/sweeps/Retention"
import { checkpointBytesMax } from "@runhook/core/runs/Checkpoint"
import { logLinesMax, logMessageLengthMax } from "@runhook/core/runs/LogLine"
import { presence, presentMax } from "@runhook/core/runs/sessions/RunnerSession"
import { lateAfter, madeUpMax } from "@runhook/core/schedules/DueStep"
import { everySecondsMax, jitterSecondsMax, overlapLookedAt } from "@runhook/core/schedules/Schedule"
import { requestBytesMax } from "@runhook/core/schedules/ScheduledRequest"
import { RunnerTimings, ScheduleLimits } from "@runhook/core/Settings"
import { biteMax } from "@runhook/core/cancels/Cancels"
import { saidLinesMax } from "@runhook/contract/executions/LogWire"
import { inFlightMax } from "@runhook/contract/runs/RunnerFields"
import { claimSizeMax } from "@runhook/contract/runs/RunnerWire"
import { bodySizeMax } from "@runhook/http/limits/BodySize"
import { idLengthMax } from "@runhook/http/mcp/JsonRpc"
import { toolsPerPage } from "@runhook/http/mcp/ToolList"
import { callSecondsMax } from "@runhook/http/mcp/Tools"
import { answerBytesMax, requestsMax, timeLimit } from "@runhook/artifacts/s3/BucketRequests"
import { count, type LimitSection, size, span } from "./Words.ts"

const body = size(Number(bodySizeMax))
const schedulesMax = ScheduleLimits.defaultValue()

export const executions: LimitSection = {
  title: "Executions",
  rows: [
    [
      "jobs that cancel executions",
      `${count(jobsAtOnceMax)} of an account at once; then 429 \`concurrency_limit_reached\` with \`details.scope\` \`jobs\` and their \`job_ids\`. A job stops ${count(biteMax)} executions at a time and rests as long as that took, a second at most. It counts what matches among the first ${count(countedMax)} unfinished ones, else \`matched\` is null. Remembered for ${span(jobRemembered)} after its end`
    ],
    [
      "executions counted ahead of a waiting one",
      `${count(aheadMax)}; further back, its \`position\` is null`
    ],
    ["history of an execution", `${count(pageSizeMax)} changes per answer`],
    ["history in evidence", `the newest ${count(manifestEventsMax)} changes`],
    [
      "attempts of a task",
      `${count(attemptsMax)}, with up to ${span(retryWaitMax)} between them (\`retry\`, \`error.delay_ms\`)`
    ],
    [
      "finished executions",
      `kept for ever, or as long as \`RUNHOOK_RETENTION_DAYS\` or the account's \`retention_days\` say (${count(retentionDaysMin)} days to ${count(Math.floor(retentionDaysMax / 365))} years)`
    ],
    ["entries of the audit log", `kept for ${span(auditKept)} (\`RUNHOOK_AUDIT_DAYS\`)`]
  ]
}

export const runners: LimitSection = {
  title: "Runners",
  rows: [
    ["sessions of a runner key", `${count(presentMax)} that were heard of within ${span(presence)}`],
    [
      "long polls of a session",
      "1: a newer poll ends the earlier one, which answers with nothing. A claim that wants no work and does not wait (`free_slots` and `wait_ms` 0) ends none"
    ],
    [
      "one claim of a runner",
      `${count(claimSizeMax)} executions, ${size(pageBytesMax)}, and ${size(pageBytesMax)} added by defaults and checkpoints; the next claim gets the rest`
    ],
    [
      "outcomes in one claim",
      `${count(inFlightMax)}, as many as a runner may hold, in a request body of ${body}; send the others with the next claim, or by \`/complete\``
    ],
    ["checkpoint", `${size(checkpointBytesMax)} of JSON, one per execution`],
    [
      "log of an execution",
      `the newest ${count(logLinesMax)} lines, each of up to ${count(logMessageLengthMax)} characters; a request brings up to ${count(saidLinesMax)} lines of each execution, within its ${body}`
    ]
  ]
}

export const files: LimitSection = {
  title: "Artifacts",
  rows: [
    [
      "artifact",
      `${size(RunnerTimings.defaultValue().maxArtifactBytes)}; ${count(artifactsPerExecutionMax)} per execution; file names of ${count(fileNameLengthMax)} characters`
    ],
    ["artifacts of an account", "no limit unless `RUNHOOK_ARTIFACTS_QUOTA` sets one, in announced bytes"],
    [
      "requests of a process to the bucket of artifacts",
      `${count(requestsMax)} at once, among which accounts take turns; ${span(timeLimit)} each, with the wait; files are read in pieces of ${size(answerBytesMax)}`
    ],
    [
      "artifacts registered and not completed",
      "pruned, and no longer counted, within two hours after their last upload URL was given or their attempt could no longer complete them, whichever is later"
    ],
    [
      "signed URLs",
      `${count(downloadGrantSeconds)} seconds for downloads and videos, ${count(uploadGrantSeconds)} for uploads; also when the key that asked for one is revoked meanwhile. Those of a removed account end with it, in other processes within 2 seconds; a bucket serves them until their time is over`
    ]
  ]
}

export const schedules: LimitSection = {
  title: "Schedules",
  rows: [
    [
      "schedules",
      `${count(schedulesMax.perAccount)} per account (\`RUNHOOK_SCHEDULES\`), with at least ${span(schedulesMax.shortest)} between due times (\`RUNHOOK_SCHEDULE_SECONDS\`); more is 422 \`schedule_limit_reached\``
    ],
    [
      "a schedule",
      `${size(requestBytesMax)} of JSON for its execution, ${span(everySecondsMax * 1_000)} between due times at most, a jitter of ${span(jitterSecondsMax * 1_000)}, and less than \`every_seconds\``
    ],
    [
      "due times that are made up for",
      `the last ${count(madeUpMax)} that are more than ${span(lateAfter)} late, by \`missed\``
    ],
    ["executions that `overlap` looks at", `the latest ${count(overlapLookedAt)} of the schedule`]
  ]
}

export const mcp: LimitSection = {
  title: "MCP",
  rows: [
    ["id of a JSON-RPC message and progress token at `/mcp`", `${count(idLengthMax)} characters`],
    [
      "a call of a tool by [MCP](integrating/mcp.md)",
      `follows its execution for ${count(callSecondsMax)} seconds, then answers with its id. Waits as \`?wait=\` does`
    ],
    ["tools in one answer", `${count(toolsPerPage)}, then a \`nextCursor\``]
  ]
}
