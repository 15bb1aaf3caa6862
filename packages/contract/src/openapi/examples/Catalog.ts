/** Tasks, their versions, and agents. */
import { AgentChangeBody, AgentDetail, AgentItem, NewAgentBody } from "../../wire/AgentWire.ts"
import { RunnerSessionDrained, RunnerSessionItem } from "../../wire/RunnerSessionWire.ts"
import {
  NewTaskBody,
  NewVersionBody,
  ParamsSchema,
  TaskChangeBody,
  TaskDetail,
  TaskItem,
  VersionDetail,
  VersionInfo,
  VersionPublished,
  VersionRefBody,
  WouldPublish
} from "../../wire/TaskWire.ts"
import { exampleOf, pageExample } from "./Example.ts"
import { ids, requestId, times } from "./Names.ts"

const paramsSchema = {
  type: "object",
  required: ["invoice"],
  properties: {
    invoice: { type: "string" },
    copies: { type: "integer", minimum: 1, default: 1 }
  },
  additionalProperties: false
}

const resultSchema = { type: "object", required: ["pages"], properties: { pages: { type: "integer" } } }

const version = { id: ids.version, number: 2, tags: ["stable"], published_at: times.published }

const named = {
  slug: "download-invoice",
  name: "Download an invoice",
  description: "Signs in to the supplier's portal and fetches one invoice.",
  platforms: [{ platform_id: ids.platform, name: "Supplier portal", handler: "supplier-portal" }]
}

const task = {
  id: ids.task,
  ...named,
  current_version: version,
  latest_version: version,
  tags: { stable: ids.version },
  enabled: true,
  created_at: times.set_up,
  updated_at: times.published
}

const agentNamed = {
  name: "Invoice desk",
  description: "Fetches invoices, two at a time.",
  labels: { region: "eu" },
  capacity: 2
}

const agent = {
  id: ids.agent,
  ...agentNamed,
  status: "online",
  busy: 1,
  queued: 0,
  runners: 1,
  last_seen_at: times.stopped,
  created_at: times.set_up,
  updated_at: times.set_up
} as const

const session = {
  id: ids.session,
  runner_name: "Cellar",
  instance_id: "cellar-1",
  version: "1.4.0",
  runner_key_id: ids.runnerKey,
  agent_ids: null,
  status: "online",
  capacity: 4,
  busy: 1,
  labels: { region: "eu" },
  drain_requested_at: null,
  created_at: times.set_up,
  last_seen_at: times.stopped
} as const

export const catalogExamples = [
  exampleOf(NewTaskBody, { ...named, timeout_seconds: 900, retry: { max_attempts: 2, initial_seconds: 30 } }),
  exampleOf(TaskChangeBody, { timeout_seconds: 1800, enabled: true }),
  pageExample("TaskPage", TaskItem, [task]),
  exampleOf(TaskDetail, {
    ...task,
    params_schema_url: `https://runhook.example.com/api/v1/integrations/tasks/${ids.task}/params-schema`,
    result_schema: resultSchema,
    timeout_seconds: 900,
    retry: { max_attempts: 2, initial_seconds: 30, factor: 2, max_seconds: 3_600, jitter: 0.2 },
    request_id: requestId
  }),
  exampleOf(ParamsSchema, {
    task_id: ids.task,
    task_version_id: ids.version,
    version_number: 2,
    schema: paramsSchema,
    request_id: requestId
  }),
  exampleOf(NewVersionBody, { params_schema: paramsSchema, result_schema: resultSchema, tags: ["stable"] }),
  exampleOf(VersionPublished, { ...version, request_id: requestId }),
  exampleOf(WouldPublish, { would_publish: true, request_id: requestId }),
  exampleOf(VersionDetail, {
    ...version,
    task_id: ids.task,
    is_current: true,
    params_schema: paramsSchema,
    result_schema: resultSchema,
    request_id: requestId
  }),
  pageExample("TaskVersionPage", VersionInfo, [version]),
  exampleOf(VersionRefBody, { version_id: ids.version }),

  exampleOf(NewAgentBody, agentNamed),
  exampleOf(AgentChangeBody, { capacity: 4, state: "paused" }),
  pageExample("AgentPage", AgentItem, [agent]),
  exampleOf(AgentDetail, { ...agent, request_id: requestId }),

  pageExample("RunnerSessionPage", RunnerSessionItem, [session]),
  exampleOf(RunnerSessionDrained, {
    id: ids.session,
    drain_requested_at: times.stopped,
    request_id: requestId
  })
]
