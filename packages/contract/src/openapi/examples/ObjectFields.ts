/** What the examples of single objects have, beside what every field of that name has. */
import type { Part } from "../Document.ts"
import { fileUrl, ids, origin, paramsSchema, service, times } from "./Story.ts"

/** By the object that has the field, where its name says too little. The first row counts that names the field. */
export const fieldsOf: ReadonlyArray<readonly [object: RegExp, Part]> = [
  [/^ExecutionRescheduled|^RescheduleExecution/, { priority: 100 }],
  [/^ExecutionExplained/, { state: "waiting", position: 3 }],
  [/^ExecutionBlock/, { kind: "agent_capacity", id: ids.agent, limit: 2, current: 2 }],
  [/^Execution(Created|Released|Rescheduled|HistoryEvent)/, { status: "queued", attempt: 0 }],
  [/^ExecutionReplayed|^InputAnswered|^Started|^Claim$/, { status: "running" }],
  [/^ExecutionCancelled/, { status: "aborted" }],
  [/^Asked/, { status: "awaiting_input" }],
  [/RerunExecution/, { version: "current" }],
  [/^Outcome/, { execution_id: ids.otherExecution }],
  [/^ClaimAnswer/, { commands: [] }],
  [/^timings_ms/, { dns: 12, connect: 31, tls: 64, headers: 95, body: 3 }],
  [/^DeliveryResponse/, { status: 200, body: "ok", headers: { "content-length": "2" } }],
  [/^LastFailure/, { status: 503, cause: "server_error" }],
  [/^DeliveryReplayed|^DeliveryTried/, { state: "pending", next_attempt_at: times.replayed }],
  [/^DeliveryReplayed/, { round: 2 }],
  [/^DeliveryAttempt/, { started_at: times.stopped }],
  [
    /^Delivery|^CallbackMark/,
    { id: ids.event, type: "execution.completed", state: "delivered", created_at: times.stopped }
  ],
  [/^ExecutionEvent/, { type: "execution.completed" }],
  [
    /^TestEvent/,
    {
      reference: "webhook-test",
      metadata: {},
      message: "This is a test webhook. Your endpoint is reachable."
    }
  ],
  [/CancelFilter/, { status: ["queued"], task_id: ids.task, from: null, to: null }],
  [/Cancel(Job|Executions)$/, { status: "completed", reason: "The list was wrong", cancelled: 42 }],
  [/^CancelBegun|^CancelRepeated|^WouldCancel|CancelJob$/, { matched: 42 }],
  [/^AdminReplay/, { key_id: ids.apiKey, cause: "unauthorized" }],
  [/^ReplayFilter/, { execution_id: null, key_id: null, url_origin: null }],
  [/Replay/, { id: ids.replay, status: ["dead"], created_at: times.replayed, updated_at: times.replayed }],
  [/^AdminVideo/, { id: ids.video, file_name: "session.webm", content_type: "video/webm" }],
  [/^Admin(File|Video)/, { url: fileUrl(`admin/accounts/${ids.account}`) }],
  [/File/, { id: ids.file, url: fileUrl("integrations") }],
  [/^(Admin)?Execution|^execution$/, { id: ids.execution }],
  [/^upload$/, { headers: { "content-type": "application/pdf" } }],
  [/^AuditEntry/, { id: ids.auditEntry, at: times.replayed }],
  [/^AuditActor/, { kind: "member", id: ids.consoleSession, name: "Ada Lovelace" }],
  [/^AuditSubject/, { kind: "key", id: ids.apiKey, name: "Back office" }],
  [
    /^TaskVersion|^VersionPublished|^ParamsSchema/,
    { id: ids.version, schema: paramsSchema, number: 2, version_number: 2 }
  ],
  [
    /Task|^task$/,
    {
      id: ids.task,
      name: "Download an invoice",
      tags: { stable: ids.version },
      number: 2,
      created_at: times.setUp,
      updated_at: times.published
    }
  ],
  [
    /^SchemaWarning/,
    {
      field: "params_schema",
      path: "/properties/id/format",
      keyword: "format",
      message: "is a format that this service does not check"
    }
  ],
  [/^Platform/, { name: "Supplier portal" }],
  [/^RunnerSessionDrained/, { drain_requested_at: times.stopped }],
  [/RunnerSession|^OpenSession/, { id: ids.session, version: "2.4.0" }],
  [/Key|Agent|Account/, { created_at: times.setUp }],
  [/RunnerKey/, { id: ids.runnerKey, name: "Cellar", key: "rhrun_<prefix>_<secret>", prefix: "Jk7mN0pQ" }],
  [/^UpdateAgent/, { state: "paused" }],
  [
    /Agent|^agents$/,
    { id: ids.agent, name: "Invoice desk", description: "Fetches invoices, two at a time." }
  ],
  [
    /^RotateEndpoint|^EndpointSecretRotated|^EndpointTested/,
    { previous_expires_at: times.tomorrow, status: "queued", endpoint_id: ids.endpoint }
  ],
  [
    /WebhookEndpoint/,
    {
      id: ids.endpoint,
      kind: "push",
      url: `${origin}/runhook`,
      description: "The shop",
      event_types: ["execution.completed", "execution.failed"],
      task_ids: null,
      agent_ids: null,
      remove_after_seconds: null,
      previous_expires_at: null,
      created_at: times.setUp,
      updated_at: times.setUp
    }
  ],
  [
    /^WebhookMessage/,
    { headers: { "content-type": "application/json", "x-webhook-event-id": ids.event }, attempt: 1 }
  ],
  [/^MessagesAcknowledged/, { acknowledged: 1 }],
  [/^CreateAlertTarget/, { address: `${origin}/alerts` }],
  [/^UpdateAlertTarget/, { paused_until: times.tomorrow }],
  [
    /AlertTarget/,
    {
      id: ids.alertTarget,
      channel: "webhook",
      address: `${origin}/masked`,
      kinds: ["dead_letters", "no_runner"],
      paused_until: null,
      failures: 0,
      last_error: null,
      last_sent_at: times.replayed,
      created_at: times.setUp,
      updated_at: times.setUp,
      taken: true,
      error: null
    }
  ],
  [
    /^Alert/,
    {
      kind: "no_runner",
      account_name: "Acme",
      subject: ids.agent,
      title: "No runner serves the agent Invoice desk",
      detail: "12 executions are due, and no runner takes them.",
      advice: "Start a runner for the agent, or look why its runner is silent.",
      count: 12,
      url: `${service}/integrations/agents/${ids.agent}`,
      since: times.queued,
      opened_at: times.replayed,
      closed_at: null
    }
  ],
  [/^UpdateSchedule|^AdminUpdateSchedule/, { enabled: false }],
  [/^LastDue/, { at: "2026-03-02T01:30:00.000Z", outcome: "created", error: null }],
  [/^TriggerSchedule/, { params: { invoice: "2026-0118" } }],
  [/^ScheduleTriggered/, { schedule_id: ids.schedule, status: "queued" }],
  [
    /Schedule/,
    {
      id: ids.schedule,
      name: "Invoices of the night",
      cron: "30 2 * * *",
      time_zone: "Europe/Berlin",
      every_seconds: null,
      starts_at: null,
      ends_at: null,
      overlap: "skip",
      missed: "last",
      jitter_seconds: 60,
      next_at: ["2026-03-03T01:30:00.000Z", "2026-03-04T01:30:00.000Z"],
      created_at: times.setUp,
      updated_at: times.setUp
    }
  ],
  [/^SecretKeys/, { broken: 0, resealed: 12 }],
  [/^Me$|Key/, { id: ids.apiKey, name: "Back office", key: "rhlive_<prefix>_<secret>" }],
  [/^RotateSigning/, { mode: "staged" }],
  [/^SigningSecretRotated/, { active_at: times.tomorrow }],
  [/^ConsoleLinkMaker/, { id: null, name: "Admin key 1" }],
  [/^ConsoleLink/, { id: ids.consoleLink, url: `${service}/integrations/sign-in#<token>` }],
  [/^SessionAccount/, { session_id: ids.consoleSession, name: "Acme" }],
  [/Account/, { id: ids.account }],
  [/^KeepCheckpoint/, { value: { page: 7 } }],
  [/^GivenBack/, { status: "queued" }],
  [/Session|ConsoleLink/, { id: ids.consoleSession, name: "Ada Lovelace" }],
  [
    /^Usage/,
    {
      from: "2026-03-02T09:00:00.000Z",
      to: "2026-03-02T10:00:00.000Z",
      at: "2026-03-02T09:00:00.000Z",
      key_id: null,
      task_id: null,
      requests: 1_480,
      created: 312,
      started: 311,
      completed: 298,
      failed: 9
    }
  ],
  [/^Overview/, { running: 4, slots: 8, queued: 2, runners: 2, draining: 0, counts_to: 10_000 }]
]

/** Fields that may be left out, and that the example of their object shows. */
export const shown: { readonly [object: string]: string } = {
  CreateExecution: "task_id params reference metadata callback_url",
  AdminCreateExecution: "task_id params reference metadata callback_url",
  CancelExecution: "reason",
  RerunExecution: "version",
  AdminRerunExecution: "version key_id",
  RescheduleExecution: "priority",
  CompleteExecution: "result",
  OutcomeReport: "result",
  OpenSession: "version agent_ids labels",
  ClaimWork: "wait_ms start outcomes in_flight",
  beats: "progress",
  progress: "percent step message",
  CreateTask: "description platforms timeout_seconds retry",
  UpdateTask: "timeout_seconds enabled",
  NewRetryPolicy: "initial_seconds",
  PublishVersion: "result_schema tags",
  CreateAgent: "description labels capacity",
  UpdateAgent: "capacity state",
  CreateKey: "allowed_task_ids allowed_agent_ids max_live rate_limit",
  UpdateKey: "allowed_task_ids max_live",
  RotateKey: "overlap_seconds",
  RotateSigningSecret: "overlap_seconds",
  CreateRunnerKey: "agent_ids",
  UpdateAccount: "rate_limit",
  CreateSchedule: "cron time_zone overlap missed jitter_seconds",
  AdminCreateSchedule: "cron time_zone overlap",
  TriggerSchedule: "params",
  UpdateSchedule: "enabled",
  AdminUpdateSchedule: "enabled",
  ScheduledExecution: "task_id reference",
  CreateWebhookEndpoint: "url description event_types",
  UpdateWebhookEndpoint: "enabled",
  RotateEndpointSecret: "overlap_seconds",
  CreateAlertTarget: "kinds",
  UpdateAlertTarget: "paused_until",
  CreateConsoleLink: "role name expires_in_seconds",
  ReplayDeliveries: "status answer",
  AdminReplayDeliveries: "status cause url_origin key_id",
  CancelExecutions: "reason",
  AdminCancelExecutions: "reason",
  CancelFilter: "status task_id",
  AdminCancelFilter: "status task_id"
}
