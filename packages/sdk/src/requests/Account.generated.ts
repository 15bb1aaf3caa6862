/** The calls of the admin API for one account. Generated from the contract by `npm run generate`: do not edit. */
import type {
  Agent,
  AlertList,
  AlertTargetCreated,
  AlertTargetDetail,
  AlertTargetList,
  AlertTargetTested,
  AnswerInput,
  CancelBegun,
  CancelExecution,
  CancelRepeated,
  CreateAlertTarget,
  CreateWebhookEndpoint,
  Delivery,
  DeliveryDetail,
  DeliveryReplayed,
  EndpointSecretRotated,
  EndpointTested,
  ExecutionCancelled,
  ExecutionCreated,
  ExecutionEvidence,
  ExecutionExplained,
  ExecutionHistory,
  ExecutionLog,
  ExecutionMoved,
  ExecutionReplayed,
  ExecutionRescheduled,
  FetchMessages,
  HistoryQuery,
  InputAnswered,
  InputList,
  MessagesAcknowledged,
  PageQuery,
  Replay,
  ReplayJob,
  RescheduleExecution,
  RotateEndpointSecret,
  Schedule,
  ScheduleDetail,
  ScheduleTriggered,
  Task,
  TaskDetail,
  TaskVersion,
  TestWebhookQueued,
  TriggerSchedule,
  UpdateAlertTarget,
  UpdateWebhookEndpoint,
  WebhookEndpointCreated,
  WebhookEndpointDetail,
  WebhookEndpointList,
  WebhookMessageList,
  WouldCancel,
  WouldCreate,
  WouldReplay
} from "../wire/Integration.ts"
import type {
  AdminCancelExecutions,
  AdminCancelJob,
  AdminCreateExecution,
  AdminCreateSchedule,
  AdminDeliveryFilter,
  AdminExecution,
  AdminExecutionArtifacts,
  AdminExecutionDetail,
  AdminExecutionFilter,
  AdminReplayDeliveries,
  AdminRerunExecution,
  AdminTestWebhook,
  AdminUpdateSchedule,
  AgentDetail,
  AuditEntry,
  AuditFilter,
  ConsoleLink,
  ConsoleLinkCreated,
  ConsoleSession,
  CreateAgent,
  CreateConsoleLink,
  CreateKey,
  CreateRunnerKey,
  CreateTask,
  DeadLetterList,
  DeliveryTried,
  Key,
  KeyCreated,
  KeyDetail,
  KeyFacts,
  KeyRotated,
  Overview,
  PublishVersion,
  ReceiverList,
  ReceiverQuery,
  RotateKey,
  RotateSigningSecret,
  RunnerKey,
  RunnerKeyCreated,
  RunnerSession,
  RunnerSessionDrained,
  SignedCommand,
  SigningSecretRotated,
  TaskVersionDetail,
  UpdateAgent,
  UpdateKey,
  UpdateTask,
  UsageQuery,
  UsageReport,
  VersionPublished,
  VersionRef,
  WouldPublish
} from "../wire/Admin.ts"
import type { OfTask, TaskSlug, WithParams } from "../wire/TaskTypes.ts"
import type { AdminClient, ClientTypes } from "./Client.ts"
import {
  get,
  idempotentPost,
  list,
  patch,
  pathOf,
  post,
  postOnce,
  put,
  remove,
  waitingGet
} from "./Describe.ts"
import type { CreateFields, GetFields } from "./Options.ts"
import type { Request } from "./Request.ts"

/** Queue an execution in the name of a key. */
export const executionsCreate = <Options extends CreateFields, A = ExecutionCreated | ExecutionReplayed>(body: object, options?: Options): Request<A, Options> =>
  postOnce("/executions", body, options)

/** Get one execution. */
export const executionsGet = <Options, A = AdminExecutionDetail>(id: string, query: { readonly wait?: number | undefined } = {}, options?: Options): Request<A, Options> =>
  waitingGet(pathOf`/executions/${id}`, options, query)

/** Cancel all executions that match. */
export const executionsCancelAll = <Options extends CreateFields, A = CancelBegun | CancelRepeated | WouldCancel>(body: AdminCancelExecutions, options?: Options): Request<A, Options> =>
  postOnce("/executions/cancel", body, options)

/** See how far a cancel of many has come. */
export const executionJobsGet = <Options, A = AdminCancelJob>(id: string, options?: Options): Request<A, Options> =>
  get(pathOf`/executions/jobs/${id}`, options)

/** What happened to an execution. */
export const executionsEvents = <Options, A = ExecutionHistory>(id: string, query: HistoryQuery = {}, options?: Options): Request<A, Options> =>
  waitingGet(pathOf`/executions/${id}/events`, options, query)

/** What the work said. */
export const executionsLogs = <Options, A = ExecutionLog>(id: string, query: HistoryQuery = {}, options?: Options): Request<A, Options> =>
  waitingGet(pathOf`/executions/${id}/logs`, options, query)

/** Follow what changes. */
export const changesFollow = <Options>(options?: Options): Request<unknown, Options> =>
  get("/changes", options)

export const keys = <T extends ClientTypes>(client: AdminClient<T>) => ({
  /**
   * Makes an integration key. The key and its signing secret are in this answer, and never shown again.
   *
   * @example
   * ```ts
   * const { key, signing_secret } = await account.keys.create({ name: "Warehouse ERP" })
   * ```
   */
  create: (body: CreateKey, options?: T["options"]) =>
    client.call<KeyCreated>(post("/keys", body, options)),

  /**
   * The integration keys of the account, newest first, without their secrets.
   *
   * @example
   * ```ts
   * for await (const { name, last_used_at } of account.keys.list()) console.log(name, last_used_at)
   * ```
   */
  list: (filter?: PageQuery, options?: T["options"]) =>
    client.list<Key>(list("/keys", filter, options)),

  /**
   * One integration key, without its secrets.
   *
   * @example
   * ```ts
   * const { live_executions } = await account.keys.get(id)
   * ```
   */
  get: (id: string, options?: T["options"]) =>
    client.call<KeyFacts>(get(pathOf`/keys/${id}`, options)),

  /**
   * Changes what the body names: the key's name, scope, limits or expiry.
   *
   * @example
   * ```ts
   * await account.keys.update(id, { allowed_agent_ids: [agent_id] })
   * ```
   */
  update: (id: string, body: UpdateKey, options?: T["options"]) =>
    client.call<KeyDetail>(patch(pathOf`/keys/${id}`, body, options)),

  /**
   * Revokes a key for good. Executions that it has queued still run.
   *
   * @example
   * ```ts
   * await account.keys.revoke(id)
   * ```
   */
  revoke: (id: string, options?: T["options"]) =>
    client.nothing(remove(pathOf`/keys/${id}`, options)),

  /**
   * Makes a new secret for the same key. The old one stays valid during the overlap. Only this answer has the new
   * one.
   *
   * @example
   * ```ts
   * const { key } = await account.keys.rotate(id, { overlap_seconds: 3_600 })
   * ```
   */
  rotate: (id: string, body?: RotateKey, options?: T["options"]) =>
    client.call<KeyRotated>(post(pathOf`/keys/${id}/rotate`, body, options)),

  /**
   * Makes a new secret to sign callbacks with: at once, or staged, so that receivers can learn it first. Only this
   * answer has the new one.
   *
   * @example
   * ```ts
   * const { signing_secret } = await account.keys.rotateSigningSecret(id, { mode: "staged" })
   * ```
   */
  rotateSigningSecret: (id: string, body: RotateSigningSecret, options?: T["options"]) =>
    client.call<SigningSecretRotated>(post(pathOf`/keys/${id}/signing-secret/rotate`, body, options))
})

export const runnerKeys = <T extends ClientTypes>(client: AdminClient<T>) => ({
  /**
   * Makes a key for runners. It is in this answer, and never shown again.
   *
   * @example
   * ```ts
   * const { key } = await account.runnerKeys.create({ name: "Fleet" })
   * ```
   */
  create: (body: CreateRunnerKey, options?: T["options"]) =>
    client.call<RunnerKeyCreated>(post("/runner-keys", body, options)),

  /**
   * The runner keys of the account, newest first, without their secrets.
   *
   * @example
   * ```ts
   * for await (const { id, name } of account.runnerKeys.list()) console.log(id, name)
   * ```
   */
  list: (filter?: PageQuery, options?: T["options"]) =>
    client.list<RunnerKey>(list("/runner-keys", filter, options)),

  /**
   * Revokes a runner key for good. Runners that present it are refused from then on.
   *
   * @example
   * ```ts
   * await account.runnerKeys.revoke(id)
   * ```
   */
  revoke: (id: string, options?: T["options"]) =>
    client.nothing(remove(pathOf`/runner-keys/${id}`, options))
})

export const agents = <T extends ClientTypes>(client: AdminClient<T>) => ({
  /**
   * Makes an agent, on which executions run as soon as a runner serves it.
   *
   * @example
   * ```ts
   * const { id } = await account.agents.create({ name: "Portal", capacity: 4 })
   * ```
   */
  create: (body: CreateAgent, options?: T["options"]) =>
    client.call<AgentDetail>(post("/agents", body, options)),

  /**
   * The agents of the account, newest first, and how busy they are.
   *
   * @example
   * ```ts
   * for await (const { name, busy, capacity } of account.agents.list()) console.log(name, busy, capacity)
   * ```
   */
  list: (filter?: PageQuery, options?: T["options"]) =>
    client.list<Agent>(list("/agents", filter, options)),

  /**
   * One agent, and how busy it is.
   *
   * @example
   * ```ts
   * const { status, runners } = await account.agents.get(id)
   * ```
   */
  get: (id: string, options?: T["options"]) =>
    client.call<AgentDetail>(get(pathOf`/agents/${id}`, options)),

  /**
   * Changes what the body names: name, labels, capacity, or whether it is paused or disabled.
   *
   * @example
   * ```ts
   * await account.agents.update(id, { state: "paused" })
   * ```
   */
  update: (id: string, body: UpdateAgent, options?: T["options"]) =>
    client.call<AgentDetail>(patch(pathOf`/agents/${id}`, body, options)),

  /**
   * Removes an agent that has no unfinished executions.
   *
   * @example
   * ```ts
   * await account.agents.remove(id)
   * ```
   */
  remove: (id: string, options?: T["options"]) =>
    client.nothing(remove(pathOf`/agents/${id}`, options)),

  /**
   * The runner processes that serve the agent, newest first.
   *
   * @example
   * ```ts
   * const [newest] = await account.agents.sessions(id).toArray({ limit: 1 })
   * ```
   */
  sessions: (id: string, filter?: PageQuery, options?: T["options"]) =>
    client.list<RunnerSession>(list(pathOf`/agents/${id}/sessions`, filter, options))
})

export const tasks = <T extends ClientTypes>(client: AdminClient<T>) => ({
  /**
   * Makes a task. It can be executed once a version of it is published.
   *
   * @example
   * ```ts
   * const { id } = await account.tasks.create({ slug: "print", name: "Print a page" })
   * ```
   */
  create: (body: CreateTask, options?: T["options"]) =>
    client.call<TaskDetail>(post("/tasks", body, options)),

  /**
   * The tasks of the account, newest first.
   *
   * @example
   * ```ts
   * for await (const { id, slug } of account.tasks.list()) console.log(id, slug)
   * ```
   */
  list: (filter?: PageQuery, options?: T["options"]) =>
    client.list<Task>(list("/tasks", filter, options)),

  /**
   * A task with its current version, its tags and its policies.
   *
   * @example
   * ```ts
   * const { retry, timeout_seconds } = await account.tasks.get(id)
   * ```
   */
  get: (id: string, options?: T["options"]) =>
    client.call<TaskDetail>(get(pathOf`/tasks/${id}`, options)),

  /**
   * Changes what the body names. Versions, which hold the schemas, never change.
   *
   * @example
   * ```ts
   * await account.tasks.update(id, { enabled: false })
   * ```
   */
  update: (id: string, body: UpdateTask, options?: T["options"]) =>
    client.call<TaskDetail>(patch(pathOf`/tasks/${id}`, body, options)),

  /**
   * Publishes a version, and makes it current unless told otherwise. A version never changes again.
   *
   * @example
   * ```ts
   * const { number } = await account.tasks.publish(id, { params_schema: { type: "object" }, tags: ["stable"] })
   * ```
   */
  publish: (id: string, body: PublishVersion, options?: T["options"]) =>
    client.call<VersionPublished>(post(pathOf`/tasks/${id}/versions`, body, options)),

  /**
   * Checks the schemas of a version and publishes nothing.
   *
   * Fails with an `InvalidParamsError` when they cannot be used.
   *
   * @example
   * ```ts
   * await account.tasks.wouldPublish(id, { params_schema: { type: "object" } })
   * ```
   */
  wouldPublish: (id: string, body: PublishVersion, options?: T["options"]) =>
    client.call<WouldPublish>({ ...idempotentPost(pathOf`/tasks/${id}/versions`, body, options), query: { validate_only: true } }),

  /**
   * The versions of the task, newest first.
   *
   * @example
   * ```ts
   * for await (const { number, tags } of account.tasks.versions(id)) console.log(number, tags)
   * ```
   */
  versions: (id: string, filter?: PageQuery, options?: T["options"]) =>
    client.list<TaskVersion>(list(pathOf`/tasks/${id}/versions`, filter, options)),

  /**
   * One version of the task, with its schemas.
   *
   * @example
   * ```ts
   * const { params_schema } = await account.tasks.version({ task_id, version_id })
   * ```
   */
  version: ({ task_id, version_id }: { readonly task_id: string; readonly version_id: string }, options?: T["options"]) =>
    client.call<TaskVersionDetail>(get(pathOf`/tasks/${task_id}/versions/${version_id}`, options)),

  /**
   * Moves the tag to the version, or creates it.
   *
   * @example
   * ```ts
   * await account.tasks.moveTag({ task_id, name: "stable" }, { version_id })
   * ```
   */
  moveTag: ({ task_id, name }: { readonly task_id: string; readonly name: string }, body: VersionRef, options?: T["options"]) =>
    client.call<TaskDetail>(put(pathOf`/tasks/${task_id}/tags/${name}`, body, options)),

  /**
   * Removes the tag. The version that it named stays.
   *
   * @example
   * ```ts
   * await account.tasks.removeTag({ task_id, name: "stable" })
   * ```
   */
  removeTag: ({ task_id, name }: { readonly task_id: string; readonly name: string }, options?: T["options"]) =>
    client.nothing(remove(pathOf`/tasks/${task_id}/tags/${name}`, options)),

  /**
   * Executions that name no version run this one.
   *
   * @example
   * ```ts
   * await account.tasks.setCurrent(id, { version_id })
   * ```
   */
  setCurrent: (id: string, body: VersionRef, options?: T["options"]) =>
    client.call<TaskDetail>(put(pathOf`/tasks/${id}/current`, body, options))
})

export const executions = <T extends ClientTypes>(client: AdminClient<T>) => ({
  /**
   * Queues an execution. A repeat under the same idempotency key makes no second one: it answers
   * `idempotent_replay: true` and the same id. Each call has an idempotency key of its own unless `idempotencyKey` is
   * given, and sends it with every attempt, so a retry does nothing twice.
   *
   * Fails with an `InvalidParamsError` when `params` break the task's schema, an `IdempotencyConflictError` when the
   * key was used with another body, and a `ConcurrencyLimitReachedError` when too many executions are unfinished.
   *
   * @example
   * ```ts
   * const { execution_id } = await account.executions.create({ key_id, agent_id, task_id, params: { url } })
   * ```
   */
  create: <Slug extends TaskSlug = never>(body: WithParams<AdminCreateExecution, Slug>, options?: CreateFields & T["options"]) =>
    client.call<ExecutionCreated | ExecutionReplayed>(executionsCreate(body, options)),

  /**
   * Checks a request without queuing anything. Fails as `create` would.
   *
   * @example
   * ```ts
   * await account.executions.validate({ key_id, agent_id, task_id, params: { url } })
   * ```
   */
  validate: <Slug extends TaskSlug = never>(body: WithParams<AdminCreateExecution, Slug>, options?: T["options"]) =>
    client.call<WouldCreate>({ ...idempotentPost("/executions", body, options), query: { validate_only: true } }),

  /**
   * The executions of the account, newest first, filtered by the query, with the names behind ids and the state of
   * their callbacks.
   *
   * @example
   * ```ts
   * for await (const { id, status } of account.executions.list({ status: ["queued", "running"] })) console.log(id, status)
   * ```
   */
  list: (filter?: AdminExecutionFilter, options?: T["options"]) =>
    client.list<AdminExecution>(list("/executions", filter, options)),

  /**
   * The execution, its files, and its progress by its runner's word. With `wait`, the answer comes as soon as it is
   * finished or awaits input, or at the end of the wait.
   *
   * Fails with a `NotFoundError` when there is none of that id.
   *
   * @example
   * ```ts
   * const { status, result, downloads } = await account.executions.get(id, { wait: 60 })
   * ```
   */
  get: <Slug extends TaskSlug = never>(id: string, options?: GetFields & T["options"]) =>
    client.call<OfTask<AdminExecutionDetail, Slug>>(executionsGet(id, { wait: options?.wait }, options)),

  /**
   * Changes when an execution starts, as long as it is pending or queued.
   *
   * Fails with an `InvalidRequestError` when a runner has it.
   *
   * @example
   * ```ts
   * await account.executions.reschedule(id, { priority: 100, scheduled_at: null })
   * ```
   */
  reschedule: (id: string, body: RescheduleExecution, options?: T["options"]) =>
    client.call<ExecutionRescheduled>(patch(pathOf`/executions/${id}`, body, options)),

  /**
   * Stops an execution in the name of the operator: it becomes `cancelled`. A finished one keeps its status.
   *
   * @example
   * ```ts
   * await account.executions.cancel(id, { reason: "The order was withdrawn" })
   * ```
   */
  cancel: (id: string, body?: CancelExecution, options?: T["options"]) =>
    client.call<ExecutionCancelled>(idempotentPost(pathOf`/executions/${id}/cancel`, body, options)),

  /**
   * Removes a finished execution with its history, result, files, callbacks and `Idempotency-Key`. 409 before its
   * end, and while a callback is being delivered. Files are deleted within the hour; counts of usage and the audit
   * log stay.
   *
   * @example
   * ```ts
   * await account.executions.remove(execution_id)
   * ```
   */
  remove: (id: string, options?: T["options"]) =>
    client.nothing(remove(pathOf`/executions/${id}`, options)),

  /**
   * Queues a new execution of the same work, in the name of the original's key unless the body names another. Its
   * `rerun_of` names the original. Each call has an idempotency key of its own unless `idempotencyKey` is given, and
   * sends it with every attempt, so a retry does nothing twice.
   *
   * @example
   * ```ts
   * const { execution_id } = await account.executions.rerun(id, { version: "current" })
   * ```
   */
  rerun: (id: string, body?: AdminRerunExecution, options?: CreateFields & T["options"]) =>
    client.call<ExecutionCreated | ExecutionReplayed>(postOnce(pathOf`/executions/${id}/rerun`, body, options)),

  /**
   * Queues an execution that was created with `hold`. Any other stays as it is.
   *
   * @example
   * ```ts
   * await account.executions.release(id)
   * ```
   */
  release: (id: string, options?: T["options"]) =>
    client.call<ExecutionMoved>(idempotentPost(pathOf`/executions/${id}/release`, undefined, options)),

  /**
   * Every change of the execution after the number `after`, oldest first. With `wait`, in seconds up to 60, the
   * answer comes as soon as there is one, and at once for a finished execution.
   *
   * @example
   * ```ts
   * const { data } = await account.executions.events(id, { after: 3, wait: 30 })
   * ```
   */
  events: (id: string, query: HistoryQuery = {}, options?: T["options"]) =>
    client.call<ExecutionHistory>(executionsEvents(id, query, options)),

  /**
   * The lines that the runner logged, after the number `after`, oldest first: the newest 1,000 lines of all attempts.
   * `wait` is as for `events`.
   *
   * @example
   * ```ts
   * const { data } = await account.executions.logs(id, { after: 12, wait: 30 })
   * ```
   */
  logs: (id: string, query: HistoryQuery = {}, options?: T["options"]) =>
    client.call<ExecutionLog>(executionsLogs(id, query, options)),

  /**
   * Everything that stands in its way: a time, a pause, no runner, no free slot, others before it.
   *
   * @example
   * ```ts
   * const { position, blocked_by } = await account.executions.explain(id)
   * ```
   */
  explain: (id: string, options?: T["options"]) =>
    client.call<ExecutionExplained>(get(pathOf`/executions/${id}/explain`, options)),

  /**
   * A signed manifest of an execution that has ended: its files with their SHA-256, its history, the version of its
   * task, hashes of its params and result, and who asked for it. Anyone can verify it without the service, by the
   * public keys at `/.well-known/runhook/jwks.json`.
   *
   * Fails with an `InvalidRequestError` when it has not ended.
   *
   * @example
   * ```ts
   * const { evidence } = await account.executions.evidence(id)
   * ```
   */
  evidence: (id: string, options?: T["options"]) =>
    client.call<ExecutionEvidence>(get(pathOf`/executions/${id}/evidence`, options)),

  /**
   * Every question that the work has asked, answered or not, oldest first.
   *
   * @example
   * ```ts
   * const { data } = await account.executions.inputs(id)
   * ```
   */
  inputs: (id: string, options?: T["options"]) =>
    client.call<InputList>(get(pathOf`/executions/${id}/inputs`, options)),

  /**
   * Gives the value that the work asked for. It must satisfy the question's schema. Repeating an equal answer is
   * harmless.
   *
   * Fails with an `InvalidParamsError` when the answer breaks the question's schema.
   *
   * @example
   * ```ts
   * await account.executions.answer({ execution_id, input_id }, { value: "123456" })
   * ```
   */
  answer: ({ execution_id, input_id }: { readonly execution_id: string; readonly input_id: string }, body: AnswerInput, options?: T["options"]) =>
    client.call<InputAnswered>(idempotentPost(pathOf`/executions/${execution_id}/inputs/${input_id}`, body, options)),

  /**
   * Everything the run captured, with links to the bytes.
   *
   * @example
   * ```ts
   * const { downloads, videos } = await account.executions.artifacts(id)
   * ```
   */
  artifacts: (id: string, options?: T["options"]) =>
    client.call<AdminExecutionArtifacts>(get(pathOf`/executions/${id}/artifacts`, options)),

  /**
   * The bytes of a file. Files whose first bytes are those of a picture or a video are shown, under that type;
   * everything else is an attachment, whatever it claims to be.
   *
   * @example
   * ```ts
   * const response = await account.executions.file({ execution_id, id: file.id })
   * ```
   */
  file: ({ execution_id, id }: { readonly execution_id: string; readonly id: string }, options?: T["options"]) =>
    client.file(get(pathOf`/executions/${execution_id}/files/${id}`, options))
})

export const executionJobs = <T extends ClientTypes>(client: AdminClient<T>) => ({
  /**
   * The job, and how many executions it has cancelled so far.
   *
   * @example
   * ```ts
   * const { status, cancelled } = await account.executions.jobs.get(job_id)
   * ```
   */
  get: (id: string, options?: T["options"]) =>
    client.call<AdminCancelJob>(executionJobsGet(id, options)),

  /**
   * Stops the job after its current batch. What it has cancelled stays cancelled. A finished job stays as it is.
   *
   * @example
   * ```ts
   * await account.executions.jobs.cancel(job_id)
   * ```
   */
  cancel: (id: string, options?: T["options"]) =>
    client.call<AdminCancelJob>(idempotentPost(pathOf`/executions/jobs/${id}/cancel`, undefined, options))
})

export const schedules = <T extends ClientTypes>(client: AdminClient<T>) => ({
  /**
   * The schedules of the account, newest first.
   *
   * @example
   * ```ts
   * for await (const { name, last } of account.schedules.list()) console.log(name, last?.outcome)
   * ```
   */
  list: (filter?: PageQuery, options?: T["options"]) =>
    client.list<Schedule>(list("/schedules", filter, options)),

  /**
   * Adds a schedule: by `cron` in a `time_zone`, or `every_seconds`. Each of its due times creates exactly one
   * execution, as its key may create it then. A create that is refused is kept as the outcome of its due time.
   *
   * @example
   * ```ts
   * const { id, next_at } = await account.schedules.create({ name: "Invoices of the night", cron: "30 2 * * *", time_zone: "Europe/Berlin", key_id, execution: { agent_id, task_id } })
   * ```
   */
  create: (body: AdminCreateSchedule, options?: T["options"]) =>
    client.call<ScheduleDetail>(post("/schedules", body, options)),

  /**
   * The schedule, its next due times, and what came of the last one.
   *
   * @example
   * ```ts
   * const { next_at, last } = await account.schedules.get(id)
   * ```
   */
  get: (id: string, options?: T["options"]) =>
    client.call<ScheduleDetail>(get(pathOf`/schedules/${id}`, options)),

  /**
   * Changes the given fields; `enabled` pauses and resumes it. With other times, and after a pause, it goes on with
   * the first due time from then. With `key_id`, that key creates its executions from then on.
   *
   * @example
   * ```ts
   * await account.schedules.update(id, { enabled: false })
   * ```
   */
  update: (id: string, body: AdminUpdateSchedule, options?: T["options"]) =>
    client.call<ScheduleDetail>(patch(pathOf`/schedules/${id}`, body, options)),

  /**
   * Removes it: nothing more is created. Executions that it has created stay.
   *
   * @example
   * ```ts
   * await account.schedules.remove(id)
   * ```
   */
  remove: (id: string, options?: T["options"]) =>
    client.nothing(remove(pathOf`/schedules/${id}`, options)),

  /**
   * Creates an execution now, also during a pause. Its due times stay as they are.
   *
   * @example
   * ```ts
   * const { execution_id } = await account.schedules.trigger(id)
   * ```
   */
  trigger: (id: string, body?: TriggerSchedule, options?: T["options"]) =>
    client.call<ScheduleTriggered>(post(pathOf`/schedules/${id}/trigger`, body, options))
})

export const deliveries = <T extends ClientTypes>(client: AdminClient<T>) => ({
  /**
   * The webhook deliveries of all keys of the account, newest first.
   *
   * @example
   * ```ts
   * for await (const { id, type } of account.deliveries.list({ status: "dead" })) console.log(id, type)
   * ```
   */
  list: (filter?: AdminDeliveryFilter, options?: T["options"]) =>
    client.list<Delivery>(list("/deliveries", filter, options)),

  /**
   * A delivery with the exact body that is sent, and what each attempt sent and received. Viewers read `masked` where
   * others read signatures that receivers still accept, credentials in headers, and the query of a URL.
   *
   * @example
   * ```ts
   * const { attempts_log } = await account.deliveries.get(id)
   * ```
   */
  get: (id: string, options?: T["options"]) =>
    client.call<DeliveryDetail>(get(pathOf`/deliveries/${id}`, options)),

  /**
   * Dead deliveries in groups of one receiver and one cause: one repair frees a group, and a replay by `url_origin`
   * and `cause` sends it again.
   *
   * @example
   * ```ts
   * const { data } = await account.deliveries.deadLetters()
   * ```
   */
  deadLetters: (options?: T["options"]) =>
    client.call<DeadLetterList>(get("/dead-letters", options)),

  /**
   * Makes a delivered, dead or cancelled delivery due again. It keeps its event id and body, and gets a fresh
   * signature.
   *
   * @example
   * ```ts
   * await account.deliveries.replay(id)
   * ```
   */
  replay: (id: string, options?: T["options"]) =>
    client.call<DeliveryReplayed>(post(pathOf`/deliveries/${id}/replay`, undefined, options)),

  /**
   * Makes a pending delivery due at once, past its back-off, the breaker of its receiver and a pause that the
   * receiver asked for. That counts as its next attempt.
   *
   * @example
   * ```ts
   * const { attempts } = await account.deliveries.tryNow(id)
   * ```
   */
  tryNow: (id: string, options?: T["options"]) =>
    client.call<DeliveryTried>(idempotentPost(pathOf`/deliveries/${id}/try`, undefined, options)),

  /**
   * The request of a delivery as a command for a POSIX shell, signed now with the active secret of its key. Receivers
   * accept it for 5 minutes. This sends nothing, and does not count as an attempt.
   *
   * @example
   * ```ts
   * const { command } = await account.deliveries.curl(id)
   * ```
   */
  curl: (id: string, options?: T["options"]) =>
    client.call<SignedCommand>(idempotentPost(pathOf`/deliveries/${id}/curl`, undefined, options)),

  /**
   * Begins to send again every delivery that matches and is settled by now, all dead ones unless the filter chooses.
   * `replays` follows how far that has come.
   *
   * @example
   * ```ts
   * const { id } = await account.deliveries.replayAll({ from: "2026-03-07T00:00:00Z" })
   * ```
   */
  replayAll: (body?: AdminReplayDeliveries, options?: T["options"]) =>
    client.call<Replay>(post("/deliveries/replays", body, options)),

  /**
   * What `replayAll` would do: how many deliveries it would send again, to whom. Changes nothing.
   *
   * @example
   * ```ts
   * const { would_replay } = await account.deliveries.wouldReplay({ last_only: true })
   * ```
   */
  wouldReplay: (body?: AdminReplayDeliveries, options?: T["options"]) =>
    client.call<WouldReplay>(idempotentPost("/deliveries/replays", { ...body, dry_run: true }, options))
})

export const webhooks = <T extends ClientTypes>(client: AdminClient<T>) => ({
  /**
   * Queues a `webhook.test` event for the URL, signed with the secret of the key that the body names. It is sent even
   * while the breaker of its receiver is open, one test at a time; `waiting_for` says what else it waits for.
   *
   * @example
   * ```ts
   * await account.webhooks.test({ key_id, callback_url })
   * ```
   */
  test: (body: AdminTestWebhook, options?: T["options"]) =>
    client.call<TestWebhookQueued>(post("/webhooks/test", body, options))
})

export const replays = <T extends ClientTypes>(client: AdminClient<T>) => ({
  /**
   * The jobs of the account, including those of its keys, newest first. A job is removed 30 days after its end.
   *
   * @example
   * ```ts
   * for await (const { id, status } of account.replays.list()) console.log(id, status)
   * ```
   */
  list: (filter?: PageQuery, options?: T["options"]) =>
    client.list<ReplayJob>(list("/webhooks/replays", filter, options)),

  /**
   * The job, and how many deliveries it has made due so far.
   *
   * @example
   * ```ts
   * const { status, replayed } = await account.replays.get(id)
   * ```
   */
  get: (id: string, options?: T["options"]) =>
    client.call<Replay>(get(pathOf`/webhooks/replays/${id}`, options)),

  /**
   * Stops a job. Deliveries that it has already made due are still sent.
   *
   * @example
   * ```ts
   * await account.replays.cancel(id)
   * ```
   */
  cancel: (id: string, options?: T["options"]) =>
    client.call<Replay>(idempotentPost(pathOf`/webhooks/replays/${id}/cancel`, undefined, options))
})

export const endpoints = <T extends ClientTypes>(client: AdminClient<T>) => ({
  /**
   * The endpoints of the account and all of its keys, oldest first.
   *
   * @example
   * ```ts
   * const { data } = await account.endpoints.list()
   * ```
   */
  list: (options?: T["options"]) =>
    client.call<WebhookEndpointList>(get("/webhooks/endpoints", options)),

  /**
   * Adds a receiver: every matching event from now on is delivered to it, beside the `callback_url` of its execution,
   * under an event id of its own. Only this answer has the signing secret. An account has at most 20 endpoints.
   *
   * @example
   * ```ts
   * const { signing_secret } = await account.endpoints.create({ kind: "push", url })
   * ```
   */
  create: (body: CreateWebhookEndpoint, options?: T["options"]) =>
    client.call<WebhookEndpointCreated>(post("/webhooks/endpoints", body, options)),

  /**
   * An endpoint, without its signing secret.
   *
   * @example
   * ```ts
   * const { enabled } = await account.endpoints.get(id)
   * ```
   */
  get: (id: string, options?: T["options"]) =>
    client.call<WebhookEndpointDetail>(get(pathOf`/webhooks/endpoints/${id}`, options)),

  /**
   * Changes or pauses it, for events from now on.
   *
   * @example
   * ```ts
   * await account.endpoints.update(id, { enabled: false })
   * ```
   */
  update: (id: string, body: UpdateWebhookEndpoint, options?: T["options"]) =>
    client.call<WebhookEndpointDetail>(patch(pathOf`/webhooks/endpoints/${id}`, body, options)),

  /**
   * Removes it: no further events are delivered to it. What waits for it becomes `cancelled`.
   *
   * @example
   * ```ts
   * await account.endpoints.remove(id)
   * ```
   */
  remove: (id: string, options?: T["options"]) =>
    client.nothing(remove(pathOf`/webhooks/endpoints/${id}`, options)),

  /**
   * Replaces its signing secret: the new one signs from now on, the old one beside it during the overlap. Only this
   * answer has the new one.
   *
   * @example
   * ```ts
   * const { signing_secret } = await account.endpoints.rotate(id, { overlap_seconds: 3_600 })
   * ```
   */
  rotate: (id: string, body?: RotateEndpointSecret, options?: T["options"]) =>
    client.call<EndpointSecretRotated>(post(pathOf`/webhooks/endpoints/${id}/rotate`, body, options)),

  /**
   * Queues a signed `webhook.test` event, also while the endpoint is not enabled. It is sent even while the breaker
   * of its receiver is open, one test at a time; `waiting_for` says what else it waits for.
   *
   * @example
   * ```ts
   * const { delivery_id } = await account.endpoints.test(id)
   * ```
   */
  test: (id: string, options?: T["options"]) =>
    client.call<EndpointTested>(post(pathOf`/webhooks/endpoints/${id}/test`, undefined, options)),

  /**
   * Fetches messages, for receivers that cannot be called. They are leased for 60 seconds: those that are not
   * acknowledged by then are given out again. With `wait`, the answer comes as soon as there is a message. Each is
   * signed as it would be if it were sent; those of one execution come in the order of its changes.
   *
   * @example
   * ```ts
   * const { data: waiting } = await account.endpoints.fetch(id, { wait: 30 })
   * ```
   */
  fetch: (id: string, query: FetchMessages = {}, options?: T["options"]) =>
    client.call<WebhookMessageList>(waitingGet(pathOf`/webhooks/endpoints/${id}/messages`, options, query)),

  /**
   * Says that messages have arrived. Later events of their executions may follow.
   *
   * @example
   * ```ts
   * const { data: fetched } = await account.endpoints.fetch(id)
   * await account.endpoints.acknowledge(id, fetched.map(({ message_id }) => message_id))
   * ```
   */
  acknowledge: (id: string, message_ids: ReadonlyArray<string>, options?: T["options"]) =>
    client.call<MessagesAcknowledged>(idempotentPost(pathOf`/webhooks/endpoints/${id}/messages/ack`, { message_ids }, options))
})

export const alerts = <T extends ClientTypes>(client: AdminClient<T>) => ({
  /**
   * What is wrong in the account, and what was in the last days.
   *
   * @example
   * ```ts
   * for (const { title, closed_at } of (await account.alerts.list()).data) console.log(title, closed_at ?? "open")
   * ```
   */
  list: (options?: T["options"]) =>
    client.call<AlertList>(get("/alerts", options))
})

export const alertTargets = <T extends ClientTypes>(client: AdminClient<T>) => ({
  /**
   * The webhooks and mailboxes that are told of alerts in the account, oldest first.
   *
   * @example
   * ```ts
   * const { data } = await account.alerts.targets.list()
   * ```
   */
  list: (options?: T["options"]) =>
    client.call<AlertTargetList>(get("/alert-targets", options)),

  /**
   * Adds a webhook or a mailbox that is told of alerts in the account, at most 10. Only this answer has the signing
   * secret.
   *
   * @example
   * ```ts
   * const { id } = await account.alerts.targets.create({ channel: "email", address: "ops@example.com" })
   * ```
   */
  create: (body: CreateAlertTarget, options?: T["options"]) =>
    client.call<AlertTargetCreated>(post("/alert-targets", body, options)),

  /**
   * A target, and whether it took the last message.
   *
   * @example
   * ```ts
   * const { last_error } = await account.alerts.targets.get(id)
   * ```
   */
  get: (id: string, options?: T["options"]) =>
    client.call<AlertTargetDetail>(get(pathOf`/alert-targets/${id}`, options)),

  /**
   * Chooses which alerts it gets, or pauses it. For another address or a new signing secret, add a new target and
   * remove this one.
   *
   * @example
   * ```ts
   * await account.alerts.targets.update(id, { paused_until: "2026-03-07T18:00:00Z" })
   * ```
   */
  update: (id: string, body: UpdateAlertTarget, options?: T["options"]) =>
    client.call<AlertTargetDetail>(patch(pathOf`/alert-targets/${id}`, body, options)),

  /**
   * Removes it: no further alerts are sent to it.
   *
   * @example
   * ```ts
   * await account.alerts.targets.remove(id)
   * ```
   */
  remove: (id: string, options?: T["options"]) =>
    client.nothing(remove(pathOf`/alert-targets/${id}`, options)),

  /**
   * Sends a message now, also during a pause, and answers whether it was taken: at most 20 in an hour, 5 to one
   * mailbox.
   *
   * @example
   * ```ts
   * const { taken, error } = await account.alerts.targets.test(id)
   * ```
   */
  test: (id: string, options?: T["options"]) =>
    client.call<AlertTargetTested>(post(pathOf`/alert-targets/${id}/test`, undefined, options))
})

export const audit = <T extends ClientTypes>(client: AdminClient<T>) => ({
  /**
   * Changes of the account, newest first.
   *
   * @example
   * ```ts
   * for await (const { action, actor } of account.audit.list({ kind: "key" })) console.log(action, actor.name)
   * ```
   */
  list: (filter?: AuditFilter, options?: T["options"]) =>
    client.list<AuditEntry>(list("/audit", filter, options)),

  /**
   * The same as comma-separated values: all that match, unless `limit` says how many.
   *
   * @example
   * ```ts
   * const text = await account.audit.csv({ from: "2026-03-01T00:00:00Z" })
   * ```
   */
  csv: (query?: AuditFilter, options?: T["options"]) =>
    client.text({ ...get("/audit", options, query), accept: "text/csv" })
})

export const usage = <T extends ClientTypes>(client: AdminClient<T>) => ({
  /**
   * Executions, callbacks and requests of the account, counted as they happen and kept by hour and day. The counts
   * are for people to look at: a killed process loses its last second.
   *
   * @example
   * ```ts
   * const { totals } = await account.usage.counted({ by: "day", group: "key" })
   * ```
   */
  counted: (query?: UsageQuery, options?: T["options"]) =>
    client.call<UsageReport>(get("/usage", options, query)),

  /**
   * Where the account's callbacks go, by origin, the worst first: the state of each, what was sent there in the last
   * 24 hours, and what waits.
   *
   * @example
   * ```ts
   * const { data } = await account.usage.receivers({ limit: 10 })
   * ```
   */
  receivers: (query?: ReceiverQuery, options?: T["options"]) =>
    client.call<ReceiverList>(get("/receivers", options, query)),

  /**
   * What runs, waits and asks in the account, and the runners that are present.
   *
   * @example
   * ```ts
   * const { running, queued } = await account.usage.overview()
   * ```
   */
  overview: (options?: T["options"]) =>
    client.call<Overview>(get("/overview", options))
})

export const sessions = <T extends ClientTypes>(client: AdminClient<T>) => ({
  /**
   * The runner processes of the account, newest first.
   *
   * @example
   * ```ts
   * for await (const { runner_name, status } of account.sessions.list()) console.log(runner_name, status)
   * ```
   */
  list: (filter?: PageQuery, options?: T["options"]) =>
    client.list<RunnerSession>(list("/sessions", filter, options)),

  /**
   * Gives the process no more work, and asks it to finish what it has and leave. It comes back when it is started
   * again.
   *
   * @example
   * ```ts
   * await account.sessions.drain(id)
   * ```
   */
  drain: (id: string, options?: T["options"]) =>
    client.call<RunnerSessionDrained>(idempotentPost(pathOf`/sessions/${id}/drain`, undefined, options))
})

export const consoleLinks = <T extends ClientTypes>(client: AdminClient<T>) => ({
  /**
   * Makes a link that signs one person in to the Integrations page of the account, once. Opening it does not use it
   * up; the button on its page does. Made by somebody who is signed in, it lets in no longer than they are in
   * themselves, and ends with them.
   *
   * @example
   * ```ts
   * const { url } = await account.consoleLinks.create({ role: "viewer", name: "Ada Lovelace" })
   * ```
   */
  create: (body?: CreateConsoleLink, options?: T["options"]) =>
    client.call<ConsoleLinkCreated>(post("/console-links", body, options)),

  /**
   * The links of the account, newest first, also those that were used or have expired in the last 30 days. Never
   * their tokens.
   *
   * @example
   * ```ts
   * for await (const { name, state } of account.consoleLinks.list()) console.log(name, state)
   * ```
   */
  list: (filter?: PageQuery, options?: T["options"]) =>
    client.list<ConsoleLink>(list("/console-links", filter, options)),

  /**
   * The link can no longer be used. A person who has signed in by it stays signed in.
   *
   * @example
   * ```ts
   * await account.consoleLinks.withdraw(id)
   * ```
   */
  withdraw: (id: string, options?: T["options"]) =>
    client.nothing(remove(pathOf`/console-links/${id}`, options))
})

export const consoleSessions = <T extends ClientTypes>(client: AdminClient<T>) => ({
  /**
   * The open sessions of people on the Integrations page of the account, newest first.
   *
   * @example
   * ```ts
   * for await (const { name, last_seen_at } of account.consoleSessions.list()) console.log(name, last_seen_at)
   * ```
   */
  list: (filter?: PageQuery, options?: T["options"]) =>
    client.list<ConsoleSession>(list("/console-sessions", filter, options)),

  /**
   * Ends the session in this account, with all sessions that links made in it began, and theirs. Their open links are
   * withdrawn.
   *
   * @example
   * ```ts
   * await account.consoleSessions.end(id)
   * ```
   */
  end: (id: string, options?: T["options"]) =>
    client.nothing(remove(pathOf`/console-sessions/${id}`, options)),

  /**
   * Ends all sessions of the person in this account and withdraws their open links. A person is a subject of the
   * provider, or the user of an operator's link together with everyone they let in. Nothing happens if no person of
   * that id is signed in. Rules of the provider let them in again until the operator changes them.
   *
   * @example
   * ```ts
   * await account.consoleSessions.endPerson(person)
   * ```
   */
  endPerson: (person: string, options?: T["options"]) =>
    client.nothing({ ...remove("/console-sessions", options), query: { person } })
})
