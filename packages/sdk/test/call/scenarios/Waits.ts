/** How long waits last, what ends them, and lists. */
import { type Answer, silence } from "@runhook/test-support/receivers/Receiver"
import { hangUp, json, refusal } from "../RawServer.ts"
import { create, createAndWait, created, execution, type Scenario, times } from "./Scenario.ts"

const refusing: ReadonlyArray<readonly [string, Answer, string]> = [
  ["401", refusal(401, "unauthorized"), "UnauthorizedError"],
  ["404", refusal(404, "not_found"), "NotFoundError"],
  ["a page of something else", json(200, []), "UnexpectedAnswerError"]
]

const events = (...told: ReadonlyArray<readonly [sequence: number, type: string, status: string]>) =>
  json(200, {
    data: told.map(([sequence, type, status]) => ({ sequence, type, status })),
    request_id: "req_1"
  })

const lines = (...said: ReadonlyArray<readonly [sequence: number, message: string]>) =>
  json(200, { data: said.map(([sequence, message]) => ({ sequence, message })), request_id: "req_1" })

const page = (ids: ReadonlyArray<string>, next_cursor: string | null) =>
  json(200, { data: ids.map((id) => ({ id })), next_cursor, request_id: "req_1" })

const job = (status: string) =>
  json(200, {
    job_id: "j-1",
    status,
    cancelled: 2,
    finished_at: status === "running" ? null : "2030-01-01T00:00:00.000Z",
    request_id: "req_1"
  })

export const waits: ReadonlyArray<Scenario> = [
  {
    title: "asks for a cancel of many again under the same key",
    call: ({ executions }) =>
      executions.cancelAll({ status: ["queued"] }, { reason: "Enough" }).then(({ job_id }) => job_id),
    python: "executions.cancel_all(status=['queued'], reason='Enough').job_id",
    go: 'client.Executions.CancelAll(ctx, CancelExecutions{Filter: CancelFilter{Status: []ExecutionStatus{"queued"}}, Reason: "Enough"}).job_id',
    answers: [hangUp, json(202, { job_id: "j-1", matched: 2, request_id: "req_1" })],
    ends: { value: "j-1", requests: 2, keys: 1, paths: times(2, "/executions/cancel") }
  },
  ...["completed", "cancelled", "of_a_later_version"].map((end) => ({
    title: `looks until the job is ${end}`,
    call: ({ executions }: Parameters<Scenario["call"]>[0]) =>
      executions.jobs.waitFor("j-1").then(({ status }) => status),
    python: "executions.jobs.wait_for('j-1').status",
    go: 'client.Executions.Jobs.WaitFor(ctx, "j-1").status',
    answers: ["running", "running", end].map(job),
    ends: { value: end, pauses: [2_000, 2_000], paths: times(3, "/executions/jobs/j-1") }
  })),
  {
    title: "ends after its time while the job goes on",
    call: ({ executions }) => executions.jobs.waitFor("j-1", { waitMs: 0 }),
    python: "executions.jobs.wait_for('j-1', timeout=0)",
    go: 'client.Executions.Jobs.WaitFor(ctx, "j-1", Within(1))',
    answers: [silence],
    ends: { error: "TimeoutError", executionId: null }
  },
  {
    title: "goes on reading after what may pass, for as long as the service asks",
    ...createAndWait,
    answers: [
      created,
      ...times(20, hangUp),
      refusal(503, "internal_error", { "retry-after": "5" }),
      refusal(429, "rate_limited", { "retry-after": "300" }),
      execution("completed")
    ],
    limits: { retries: 0, timeoutMs: 1_000 },
    ends: {
      value: "completed",
      pauses: [250, 500, 1_000, 2_000, ...times(16, 4_000), 9_000, 304_000]
    }
  },
  ...refusing.map(([name, answer, error]) => ({
    title: `ends at once with ${name}, and names the execution`,
    ...createAndWait,
    answers: [created, answer],
    ends: { error, executionId: "e-1", requests: 2 }
  })),
  ...(["silent", "gone", "refusing"] as const).map((name) => ({
    title: `ends after its time while the service is ${name}, and names the execution`,
    call: ({ executions }: Parameters<Scenario["call"]>[0]) =>
      executions.createAndWait({ agent_id: "a-1" }, { waitMs: 0 }),
    python: "executions.create_and_wait(agent_id='a-1', timeout=0)",
    go: 'client.Executions.CreateAndWait(ctx, CreateExecution{AgentID: "a-1"}, Within(1))',
    answers: [created, { silent: silence, gone: hangUp, refusing: refusal(503, "internal_error") }[name]],
    ends: { error: "TimeoutError", executionId: "e-1" }
  })),
  {
    title: "names no execution where none was acknowledged",
    ...create,
    answers: [refusal(401, "unauthorized")],
    ends: { error: "UnauthorizedError", executionId: null }
  },
  {
    title: "looks until the execution is over, and not too often",
    call: ({ executions }) => executions.waitFor("e-1").then(({ status }) => status),
    python: "executions.wait_for('e-1').status",
    go: 'client.Executions.WaitFor(ctx, "e-1").status',
    answers: ["queued", "of_a_later_version", "awaiting_input", "error"].map(execution),
    ends: {
      value: "error",
      pauses: [2_000, 2_000, 2_000],
      paths: times(4, "/executions/e-1?wait=25")
    }
  },
  {
    title: "also ends when the work asks, if that is wanted",
    call: ({ executions }) => executions.waitFor("e-1", { until: "input" }).then(({ status }) => status),
    python: "executions.wait_for('e-1', until='input').status",
    go: 'client.Executions.WaitFor(ctx, "e-1", UntilInput).status',
    answers: ["running", "awaiting_input"].map(execution),
    ends: { value: "awaiting_input" }
  },
  {
    title: "gives item after item of a list, asking for pages as it needs them",
    call: async ({ executions }) => {
      const ids: Array<string> = []
      for await (const { id } of executions.list({ status: ["queued", "running"] })) ids.push(id)
      return ids
    },
    python: "executions.list(status=['queued', 'running'])[id]",
    go: 'collect(client.Executions.List(ctx, ExecutionFilter{Status: []ExecutionStatus{"queued", "running"}}))[id]',
    answers: [page(["1", "2"], "c=2"), page([], "c=3"), page(["3"], null)],
    ends: {
      value: ["1", "2", "3"],
      paths: ["", "cursor=c%3D2&", "cursor=c%3D3&"].map(
        (cursor) => `/executions?${cursor}status=queued&status=running`
      )
    }
  },
  {
    title: "follows a log until its last item, over an outage, and asks no oftener than every two seconds",
    call: async ({ executions }) => {
      const types: Array<string> = []
      for await (const { type } of executions.follow("e-1", { after: 1 })) types.push(type)
      return types
    },
    python: "executions.follow('e-1', after=1)[type]",
    go: 'collect(client.Executions.FollowEvents(ctx, "e-1", 1))[type]',
    answers: [
      events([1, "created", "queued"], [2, "started", "running"]),
      events(),
      ...times(12, hangUp),
      events([3, "completed", "completed"])
    ],
    ends: {
      value: ["started", "completed"],
      requests: 15,
      pauses: [2_000, 250, 500, 1_000, 2_000, ...times(8, 4_000)]
    }
  },
  {
    title: "follows the lines of an execution over an outage, and looks once more when it is over",
    call: async ({ executions }) => {
      const messages: Array<string> = []
      for await (const { message } of executions.followLogs("e-1", { after: 1 })) messages.push(message)
      return messages
    },
    python: "executions.follow_logs('e-1', after=1)[message]",
    go: 'collect(client.Executions.FollowLogs(ctx, "e-1", 1))[message]',
    answers: [
      lines([1, "open"], [2, "read"]),
      lines(),
      execution("running"),
      hangUp,
      lines(),
      execution("completed"),
      lines([3, "closed"]),
      lines()
    ],
    ends: {
      value: ["read", "closed"],
      pauses: [2_000, 250],
      requests: 8
    }
  }
]
