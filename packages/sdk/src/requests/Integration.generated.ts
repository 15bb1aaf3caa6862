/** The calls of the integration API. Generated from the contract by `npm run generate`: do not edit. */
import type {
  Agent,
  AlertList,
  AlertTargetCreated,
  AlertTargetDetail,
  AlertTargetList,
  AlertTargetTested,
  AnswerInput,
  BatchItem,
  CancelBegun,
  CancelExecution,
  CancelExecutions,
  CancelJob,
  CancelRepeated,
  CreateAlertTarget,
  CreateExecution,
  CreateSchedule,
  CreateWebhookEndpoint,
  Delivery,
  DeliveryDetail,
  DeliveryFilter,
  DeliveryReplayed,
  EndpointSecretRotated,
  EndpointTested,
  Execution,
  ExecutionArtifacts,
  ExecutionCancelled,
  ExecutionCreated,
  ExecutionDetail,
  ExecutionEvidence,
  ExecutionExplained,
  ExecutionFilter,
  ExecutionHistory,
  ExecutionLog,
  ExecutionMoved,
  ExecutionReplayed,
  ExecutionRescheduled,
  FetchMessages,
  HistoryQuery,
  InputAnswered,
  InputList,
  Me,
  MessagesAcknowledged,
  PageQuery,
  ParamsSchema,
  Replay,
  ReplayDeliveries,
  ReplayJob,
  RerunExecution,
  RescheduleExecution,
  RotateEndpointSecret,
  Schedule,
  ScheduleDetail,
  ScheduleTriggered,
  Task,
  TaskDetail,
  TaskFilter,
  TestWebhook,
  TestWebhookQueued,
  TriggerSchedule,
  UpdateAlertTarget,
  UpdateSchedule,
  UpdateWebhookEndpoint,
  VersionQuery,
  WebhookEndpointCreated,
  WebhookEndpointDetail,
  WebhookEndpointList,
  WebhookMessageList,
  WouldCancel,
  WouldCreate,
  WouldReplay
} from "../wire/Integration.ts"
import type { OfTask, TaskSlug, WithParams } from "../wire/TaskTypes.ts"
import { withKeys } from "./Batches.ts"
import type { ClientTypes, IntegrationClient } from "./Client.ts"
import { get, idempotentPost, list, patch, pathOf, post, postOnce, remove, waitingGet } from "./Describe.ts"
import type { CreateFields, GetFields } from "./Options.ts"
import type { Request } from "./Request.ts"

/** Queue an execution. */
export const executionsCreate = <Options extends CreateFields, A = ExecutionCreated | ExecutionReplayed>(body: object, options?: Options): Request<A, Options> =>
  postOnce("/executions", body, options)

/** Get one execution. */
export const executionsGet = <Options, A = ExecutionDetail>(id: string, query: { readonly wait?: number | undefined } = {}, options?: Options): Request<A, Options> =>
  waitingGet(pathOf`/executions/${id}`, options, query)

/** Cancel all executions that match. */
export const executionsCancelAll = <Options extends CreateFields, A = CancelBegun | CancelRepeated | WouldCancel>(body: CancelExecutions, options?: Options): Request<A, Options> =>
  postOnce("/executions/cancel", body, options)

/** See how far a cancel of many has come. */
export const executionJobsGet = <Options, A = CancelJob>(id: string, options?: Options): Request<A, Options> =>
  get(pathOf`/executions/jobs/${id}`, options)

/** What happened to an execution. */
export const executionsEvents = <Options, A = ExecutionHistory>(id: string, query: HistoryQuery = {}, options?: Options): Request<A, Options> =>
  waitingGet(pathOf`/executions/${id}/events`, options, query)

/** What the work said. */
export const executionsLogs = <Options, A = ExecutionLog>(id: string, query: HistoryQuery = {}, options?: Options): Request<A, Options> =>
  waitingGet(pathOf`/executions/${id}/logs`, options, query)

/** Download one file. */
export const filesDownload = <Options>({ execution_id, id }: { readonly execution_id: string; readonly id: string }, options?: Options): Request<unknown, Options> =>
  get(pathOf`/executions/${execution_id}/files/${id}`, options)

/** See how far a replay has come. */
export const deliveryReplaysGet = <Options, A = Replay>(id: string, options?: Options): Request<A, Options> =>
  get(pathOf`/webhooks/replays/${id}`, options)

/** Fetch messages of a poll endpoint. */
export const webhookEndpointsFetch = <Options, A = WebhookMessageList>(id: string, query: FetchMessages = {}, options?: Options): Request<A, Options> =>
  waitingGet(pathOf`/webhooks/endpoints/${id}/messages`, options, query)

/** Acknowledge messages. */
export const webhookEndpointsAcknowledge = <Options, A = MessagesAcknowledged>(id: string, message_ids: ReadonlyArray<string>, options?: Options): Request<A, Options> =>
  idempotentPost(pathOf`/webhooks/endpoints/${id}/messages/ack`, { message_ids }, options)

/** Its links, with their path below the API. */
export const filesDownloadLink = /\/api\/v1\/integrations(\/executions\/[^/?#]+\/files\/[^/?#]+)$/

export const executions = <T extends ClientTypes>(client: IntegrationClient<T>) => ({
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
   * const { execution_id } = await runhook.executions.create({ agent_id, task_id, params: { url }, reference: order.id, callback_url }, { idempotencyKey: order.id })
   * ```
   */
  create: <Slug extends TaskSlug = never>(body: WithParams<CreateExecution, Slug>, options?: CreateFields & T["options"]) =>
    client.call<ExecutionCreated | ExecutionReplayed>(executionsCreate(body, options)),

  /**
   * Checks a request without queuing anything. Fails as `create` would.
   *
   * @example
   * ```ts
   * await runhook.executions.validate({ agent_id, task_id, params: { url } })
   * ```
   */
  validate: <Slug extends TaskSlug = never>(body: WithParams<CreateExecution, Slug>, options?: T["options"]) =>
    client.call<WouldCreate>({ ...idempotentPost("/executions", body, options), query: { validate_only: true } }),

  /**
   * Queues up to 500 executions with one request, each judged and answered by itself: look at the `status` of each
   * answer, as that of a `create`. An item without an `idempotency_key` gets one, so that a retry makes nothing
   * twice. Items refused with 429 or failed with 5xx are sent again, as a `create` would be, after the time that they
   * name. What is still refused at the end of the retries or the time is answered as it is.
   *
   * @example
   * ```ts
   * const { data } = await runhook.executions.createBatch([{ agent_id, task_id, params: { url }, reference: order.id }])
   * for (const { index, execution, error } of data) console.log(index, execution?.execution_id ?? error?.message)
   * ```
   */
  createBatch: (items: ReadonlyArray<BatchItem>, options?: T["options"]) =>
    client.batch({ items: withKeys(items), requestOf: (keyed) => idempotentPost("/executions/batch", { items: keyed }, options) }),

  /**
   * The executions of the account, newest first, filtered by the query.
   *
   * @example
   * ```ts
   * for await (const { id, status } of runhook.executions.list({ status: ["queued", "running"] })) console.log(id, status)
   * ```
   */
  list: (filter?: ExecutionFilter, options?: T["options"]) =>
    client.list<Execution>(list("/executions", filter, options)),

  /**
   * The execution and its files. With `wait`, in seconds up to 60, the answer comes as soon as it is finished or
   * awaits input, and after that time at the latest.
   *
   * Fails with a `NotFoundError` when there is none of that id.
   *
   * @example
   * ```ts
   * const { status, result, downloads } = await runhook.executions.get(id, { wait: 60 })
   * ```
   */
  get: <Slug extends TaskSlug = never>(id: string, options?: GetFields & T["options"]) =>
    client.call<OfTask<ExecutionDetail, Slug>>(executionsGet(id, { wait: options?.wait }, options)),

  /**
   * Stops an execution: it becomes `aborted`. A finished one keeps its status, and the answer says
   * `already_finished`.
   *
   * @example
   * ```ts
   * await runhook.executions.cancel(id, { reason: "The order was withdrawn" })
   * ```
   */
  cancel: (id: string, body?: CancelExecution, options?: T["options"]) =>
    client.call<ExecutionCancelled>(idempotentPost(pathOf`/executions/${id}/cancel`, body, options)),

  /**
   * Queues an execution that was created with `hold`. Any other stays as it is.
   *
   * @example
   * ```ts
   * await runhook.executions.release(id)
   * ```
   */
  release: (id: string, options?: T["options"]) =>
    client.call<ExecutionMoved>(idempotentPost(pathOf`/executions/${id}/release`, undefined, options)),

  /**
   * Queues a new execution of the same work: with the same agent, reference, metadata and callbacks, and its params
   * unless others are given. Its `rerun_of` names the original, which stays as it is. Each call has an idempotency
   * key of its own unless `idempotencyKey` is given, and sends it with every attempt, so a retry does nothing twice.
   *
   * @example
   * ```ts
   * const { execution_id } = await runhook.executions.rerun(id, { version: "current" })
   * ```
   */
  rerun: (id: string, body?: RerunExecution, options?: CreateFields & T["options"]) =>
    client.call<ExecutionCreated | ExecutionReplayed>(postOnce(pathOf`/executions/${id}/rerun`, body, options)),

  /**
   * Changes when an execution starts, as long as it is pending or queued.
   *
   * Fails with an `InvalidRequestError` when a runner has it.
   *
   * @example
   * ```ts
   * await runhook.executions.reschedule(id, { priority: 100, scheduled_at: null })
   * ```
   */
  reschedule: (id: string, body: RescheduleExecution, options?: T["options"]) =>
    client.call<ExecutionRescheduled>(patch(pathOf`/executions/${id}`, body, options)),

  /**
   * Every change of the execution after the number `after`, oldest first. With `wait`, in seconds up to 60, the
   * answer comes as soon as there is one, and at once for a finished execution.
   *
   * @example
   * ```ts
   * const { data } = await runhook.executions.events(id, { after: 3, wait: 30 })
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
   * const { data } = await runhook.executions.logs(id, { after: 12, wait: 30 })
   * ```
   */
  logs: (id: string, query: HistoryQuery = {}, options?: T["options"]) =>
    client.call<ExecutionLog>(executionsLogs(id, query, options)),

  /**
   * Everything that stands in its way: a time, a pause, no runner, no free slot, others before it.
   *
   * @example
   * ```ts
   * const { position, blocked_by } = await runhook.executions.explain(id)
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
   * const { evidence } = await runhook.executions.evidence(id)
   * ```
   */
  evidence: (id: string, options?: T["options"]) =>
    client.call<ExecutionEvidence>(get(pathOf`/executions/${id}/evidence`, options)),

  /**
   * Everything the run has captured so far. Videos have signed URLs, which soon expire; files have stable links.
   *
   * @example
   * ```ts
   * const { downloads, videos } = await runhook.executions.artifacts(id)
   * ```
   */
  artifacts: (id: string, options?: T["options"]) =>
    client.call<ExecutionArtifacts>(get(pathOf`/executions/${id}/artifacts`, options)),

  /**
   * Every question that the work has asked, answered or not, oldest first.
   *
   * @example
   * ```ts
   * const { data } = await runhook.executions.inputs(id)
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
   * await runhook.executions.answer({ execution_id, input_id }, { value: "123456" })
   * ```
   */
  answer: ({ execution_id, input_id }: { readonly execution_id: string; readonly input_id: string }, body: AnswerInput, options?: T["options"]) =>
    client.call<InputAnswered>(idempotentPost(pathOf`/executions/${execution_id}/inputs/${input_id}`, body, options))
})

export const executionJobs = <T extends ClientTypes>(client: IntegrationClient<T>) => ({
  /**
   * The job, and how many executions it has cancelled so far.
   *
   * @example
   * ```ts
   * const { status, cancelled } = await runhook.executions.jobs.get(job_id)
   * ```
   */
  get: (id: string, options?: T["options"]) =>
    client.call<CancelJob>(executionJobsGet(id, options)),

  /**
   * Stops the job after its current batch. What it has cancelled stays cancelled. A finished job stays as it is.
   *
   * @example
   * ```ts
   * await runhook.executions.jobs.cancel(job_id)
   * ```
   */
  cancel: (id: string, options?: T["options"]) =>
    client.call<CancelJob>(idempotentPost(pathOf`/executions/jobs/${id}/cancel`, undefined, options))
})

export const schedules = <T extends ClientTypes>(client: IntegrationClient<T>) => ({
  /**
   * The schedules of the account, newest first.
   *
   * @example
   * ```ts
   * for await (const { name, last } of runhook.schedules.list()) console.log(name, last?.outcome)
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
   * const { id, next_at } = await runhook.schedules.create({ name: "Invoices of the night", cron: "30 2 * * *", time_zone: "Europe/Berlin", execution: { agent_id, task_id } })
   * ```
   */
  create: (body: CreateSchedule, options?: T["options"]) =>
    client.call<ScheduleDetail>(post("/schedules", body, options)),

  /**
   * The schedule, its next due times, and what came of the last one.
   *
   * @example
   * ```ts
   * const { next_at, last } = await runhook.schedules.get(id)
   * ```
   */
  get: (id: string, options?: T["options"]) =>
    client.call<ScheduleDetail>(get(pathOf`/schedules/${id}`, options)),

  /**
   * Changes the given fields; `enabled` pauses and resumes it. With other times, and after a pause, it goes on with
   * the first due time from then. A key that gives an `execution`, or enables the schedule, creates its executions
   * from then on.
   *
   * @example
   * ```ts
   * await runhook.schedules.update(id, { enabled: false })
   * ```
   */
  update: (id: string, body: UpdateSchedule, options?: T["options"]) =>
    client.call<ScheduleDetail>(patch(pathOf`/schedules/${id}`, body, options)),

  /**
   * Removes it: nothing more is created. Executions that it has created stay.
   *
   * @example
   * ```ts
   * await runhook.schedules.remove(id)
   * ```
   */
  remove: (id: string, options?: T["options"]) =>
    client.nothing(remove(pathOf`/schedules/${id}`, options)),

  /**
   * Creates an execution now, also during a pause. Its due times stay as they are.
   *
   * @example
   * ```ts
   * const { execution_id } = await runhook.schedules.trigger(id)
   * ```
   */
  trigger: (id: string, body?: TriggerSchedule, options?: T["options"]) =>
    client.call<ScheduleTriggered>(post(pathOf`/schedules/${id}/trigger`, body, options))
})

export const tasks = <T extends ClientTypes>(client: IntegrationClient<T>) => ({
  /**
   * The tasks that the key may execute, newest first.
   *
   * @example
   * ```ts
   * for await (const { id, slug } of runhook.tasks.list()) console.log(id, slug)
   * ```
   */
  list: (filter?: TaskFilter, options?: T["options"]) =>
    client.list<Task>(list("/tasks", filter, options)),

  /**
   * A task with its versions' tags, its policies, and where the JSON Schema of its params is.
   *
   * @example
   * ```ts
   * const task = await runhook.tasks.get(id)
   * ```
   */
  get: (id: string, options?: T["options"]) =>
    client.call<TaskDetail>(get(pathOf`/tasks/${id}`, options)),

  /**
   * The JSON Schema of the params of one version: of the current one unless the query names another.
   *
   * @example
   * ```ts
   * const { schema } = await runhook.tasks.paramsSchema(id, { version: "tag:stable" })
   * ```
   */
  paramsSchema: (id: string, query?: VersionQuery, options?: T["options"]) =>
    client.call<ParamsSchema>(get(pathOf`/tasks/${id}/params-schema`, options, query))
})

export const agents = <T extends ClientTypes>(client: IntegrationClient<T>) => ({
  /**
   * The agents that the key may use, and how busy they are.
   *
   * @example
   * ```ts
   * const [agent] = await runhook.agents.list().toArray({ limit: 1 })
   * ```
   */
  list: (filter?: PageQuery, options?: T["options"]) =>
    client.list<Agent>(list("/agents", filter, options))
})

export const webhooks = <T extends ClientTypes>(client: IntegrationClient<T>) => ({
  /**
   * Queues a signed `webhook.test` event for the URL, to try out a receiver. It is sent even while the breaker of its
   * receiver is open, one test at a time; `waiting_for` says what else it waits for.
   *
   * @example
   * ```ts
   * await runhook.webhooks.test({ callback_url })
   * ```
   */
  test: (body: TestWebhook, options?: T["options"]) =>
    client.call<TestWebhookQueued>(post("/webhooks/test", body, options))
})

export const deliveries = <T extends ClientTypes>(client: IntegrationClient<T>) => ({
  /**
   * The webhook deliveries of the key's executions, newest first, in any state.
   *
   * @example
   * ```ts
   * for await (const { id, type } of runhook.deliveries.list({ status: "dead" })) console.log(id, type)
   * ```
   */
  list: (filter?: DeliveryFilter, options?: T["options"]) =>
    client.list<Delivery>(list("/webhooks/deliveries", filter, options)),

  /**
   * A delivery with the exact body that is sent, and what each attempt sent and received.
   *
   * @example
   * ```ts
   * const { attempts_log } = await runhook.deliveries.get(id)
   * ```
   */
  get: (id: string, options?: T["options"]) =>
    client.call<DeliveryDetail>(get(pathOf`/webhooks/deliveries/${id}`, options)),

  /**
   * Makes a delivered, dead or cancelled delivery due again. It keeps its event id and body, and gets a fresh
   * signature.
   *
   * @example
   * ```ts
   * await runhook.deliveries.replay(id)
   * ```
   */
  replay: (id: string, options?: T["options"]) =>
    client.call<DeliveryReplayed>(post(pathOf`/webhooks/deliveries/${id}/replay`, undefined, options)),

  /**
   * Begins to send again every delivery that matches and is settled by now, all dead ones unless the filter chooses.
   * `replays` follows how far that has come.
   *
   * @example
   * ```ts
   * const { id } = await runhook.deliveries.replayAll({ from: "2026-03-07T00:00:00Z" })
   * ```
   */
  replayAll: (body?: ReplayDeliveries, options?: T["options"]) =>
    client.call<Replay>(post("/webhooks/replays", body, options)),

  /**
   * What `replayAll` would do: how many deliveries it would send again, to whom. Changes nothing.
   *
   * @example
   * ```ts
   * const { would_replay } = await runhook.deliveries.wouldReplay({ last_only: true })
   * ```
   */
  wouldReplay: (body?: ReplayDeliveries, options?: T["options"]) =>
    client.call<WouldReplay>(idempotentPost("/webhooks/replays", { ...body, dry_run: true }, options))
})

export const deliveryReplays = <T extends ClientTypes>(client: IntegrationClient<T>) => ({
  /**
   * The jobs of the key, newest first. A job is removed 30 days after its end.
   *
   * @example
   * ```ts
   * for await (const { id, status } of runhook.deliveries.replays.list()) console.log(id, status)
   * ```
   */
  list: (filter?: PageQuery, options?: T["options"]) =>
    client.list<ReplayJob>(list("/webhooks/replays", filter, options)),

  /**
   * The job, and how many deliveries it has made due so far.
   *
   * @example
   * ```ts
   * const { status, replayed } = await runhook.deliveries.replays.get(id)
   * ```
   */
  get: (id: string, options?: T["options"]) =>
    client.call<Replay>(deliveryReplaysGet(id, options)),

  /**
   * Stops a job. Deliveries that it has already made due are still sent.
   *
   * @example
   * ```ts
   * await runhook.deliveries.replays.cancel(id)
   * ```
   */
  cancel: (id: string, options?: T["options"]) =>
    client.call<Replay>(idempotentPost(pathOf`/webhooks/replays/${id}/cancel`, undefined, options))
})

export const webhookEndpoints = <T extends ClientTypes>(client: IntegrationClient<T>) => ({
  /**
   * The endpoints of the key: those that it has made, oldest first.
   *
   * @example
   * ```ts
   * const { data } = await runhook.webhooks.endpoints.list()
   * ```
   */
  list: (options?: T["options"]) =>
    client.call<WebhookEndpointList>(get("/webhooks/endpoints", options)),

  /**
   * Adds a receiver: every matching event from now on is delivered to it, beside the `callback_url` of its execution,
   * under an event id of its own. Only this answer has the signing secret. An account has at most 20 endpoints. It
   * takes `executions:read` beside `endpoints:manage`, since events show results; a key that loses one of them is
   * told nothing more.
   *
   * @example
   * ```ts
   * const { signing_secret } = await runhook.webhooks.endpoints.create({ kind: "push", url })
   * ```
   */
  create: (body: CreateWebhookEndpoint, options?: T["options"]) =>
    client.call<WebhookEndpointCreated>(post("/webhooks/endpoints", body, options)),

  /**
   * An endpoint, without its signing secret.
   *
   * @example
   * ```ts
   * const { enabled } = await runhook.webhooks.endpoints.get(id)
   * ```
   */
  get: (id: string, options?: T["options"]) =>
    client.call<WebhookEndpointDetail>(get(pathOf`/webhooks/endpoints/${id}`, options)),

  /**
   * Changes or pauses it, for events from now on.
   *
   * @example
   * ```ts
   * await runhook.webhooks.endpoints.update(id, { enabled: false })
   * ```
   */
  update: (id: string, body: UpdateWebhookEndpoint, options?: T["options"]) =>
    client.call<WebhookEndpointDetail>(patch(pathOf`/webhooks/endpoints/${id}`, body, options)),

  /**
   * Removes it: no further events are delivered to it. What waits for it becomes `cancelled`.
   *
   * @example
   * ```ts
   * await runhook.webhooks.endpoints.remove(id)
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
   * const { signing_secret } = await runhook.webhooks.endpoints.rotate(id, { overlap_seconds: 3_600 })
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
   * const { delivery_id } = await runhook.webhooks.endpoints.test(id)
   * ```
   */
  test: (id: string, options?: T["options"]) =>
    client.call<EndpointTested>(post(pathOf`/webhooks/endpoints/${id}/test`, undefined, options)),

  /**
   * Fetches messages, for receivers that cannot be called. They are leased for 60 seconds: those that are not
   * acknowledged by then are given out again. With `wait`, the answer comes as soon as there is a message. Each is
   * signed as it would be if it were sent; those of one execution come in the order of its changes. It takes
   * `executions:read` beside `endpoints:manage`, since events show results; a key that loses one of them is told
   * nothing more.
   *
   * @example
   * ```ts
   * const { data: waiting } = await runhook.webhooks.endpoints.fetch(id, { wait: 30 })
   * ```
   */
  fetch: (id: string, query: FetchMessages = {}, options?: T["options"]) =>
    client.call<WebhookMessageList>(webhookEndpointsFetch(id, query, options)),

  /**
   * Says that messages have arrived. Later events of their executions may follow.
   *
   * @example
   * ```ts
   * const { data: fetched } = await runhook.webhooks.endpoints.fetch(id)
   * await runhook.webhooks.endpoints.acknowledge(id, fetched.map(({ message_id }) => message_id))
   * ```
   */
  acknowledge: (id: string, message_ids: ReadonlyArray<string>, options?: T["options"]) =>
    client.call<MessagesAcknowledged>(webhookEndpointsAcknowledge(id, message_ids, options))
})

export const alerts = <T extends ClientTypes>(client: IntegrationClient<T>) => ({
  /**
   * What is wrong in the account of the key, and what was in the last days.
   *
   * @example
   * ```ts
   * for (const { title, closed_at } of (await runhook.alerts.list()).data) console.log(title, closed_at ?? "open")
   * ```
   */
  list: (options?: T["options"]) =>
    client.call<AlertList>(get("/alerts", options))
})

export const alertTargets = <T extends ClientTypes>(client: IntegrationClient<T>) => ({
  /**
   * The webhooks and mailboxes that are told of alerts in the account of the key, oldest first.
   *
   * @example
   * ```ts
   * const { data } = await runhook.alerts.targets.list()
   * ```
   */
  list: (options?: T["options"]) =>
    client.call<AlertTargetList>(get("/alert-targets", options)),

  /**
   * Adds a webhook or a mailbox that is told of alerts in the account of the key, at most 10. Only this answer has
   * the signing secret.
   *
   * @example
   * ```ts
   * const { id } = await runhook.alerts.targets.create({ channel: "email", address: "ops@example.com" })
   * ```
   */
  create: (body: CreateAlertTarget, options?: T["options"]) =>
    client.call<AlertTargetCreated>(post("/alert-targets", body, options)),

  /**
   * A target, and whether it took the last message.
   *
   * @example
   * ```ts
   * const { last_error } = await runhook.alerts.targets.get(id)
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
   * await runhook.alerts.targets.update(id, { paused_until: "2026-03-07T18:00:00Z" })
   * ```
   */
  update: (id: string, body: UpdateAlertTarget, options?: T["options"]) =>
    client.call<AlertTargetDetail>(patch(pathOf`/alert-targets/${id}`, body, options)),

  /**
   * Removes it: no further alerts are sent to it.
   *
   * @example
   * ```ts
   * await runhook.alerts.targets.remove(id)
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
   * const { taken, error } = await runhook.alerts.targets.test(id)
   * ```
   */
  test: (id: string, options?: T["options"]) =>
    client.call<AlertTargetTested>(post(pathOf`/alert-targets/${id}/test`, undefined, options))
})

export const calls = <T extends ClientTypes>(client: IntegrationClient<T>) => ({
  /**
   * The calling key: its account, its scope, and its limits as they hold, beside what it has of them. Any key may
   * ask.
   *
   * @example
   * ```ts
   * const { live, max_live } = await runhook.me()
   * ```
   */
  me: (options?: T["options"]) =>
    client.call<Me>(get("/me", options))
})
