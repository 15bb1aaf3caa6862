// Code generated from the contract by `npm run generate`; DO NOT EDIT.

package runhook

import (
	"context"
	"iter"
	"net/url"
)

// A Client makes the calls of one key. It is safe for use by several goroutines at once.
type Client struct {
	Executions *Executions
	Files      *Files
	Schedules  *Schedules
	Tasks      *Tasks
	Agents     *Agents
	Webhooks   *Webhooks
	Deliveries *Deliveries
	Alerts     *Alerts
	caller     *caller
}

func newClient(c *caller) *Client {
	return &Client{
		Executions: newExecutions(c),
		Files:      newFiles(c),
		Schedules:  newSchedules(c),
		Tasks:      newTasks(c),
		Agents:     newAgents(c),
		Webhooks:   newWebhooks(c),
		Deliveries: newDeliveries(c),
		Alerts:     newAlerts(c),
		caller:     c,
	}
}

// Executions has the calls about executions.
type Executions struct {
	Jobs   *Jobs
	caller *caller
}

func newExecutions(c *caller) *Executions {
	return &Executions{
		Jobs:   newJobs(c),
		caller: c,
	}
}

// Jobs has the calls about jobs of executions.
type Jobs struct {
	caller *caller
}

func newJobs(c *caller) *Jobs {
	return &Jobs{
		caller: c,
	}
}

// Files has the calls about files.
type Files struct {
	caller *caller
}

func newFiles(c *caller) *Files {
	return &Files{
		caller: c,
	}
}

// Schedules has the calls about schedules.
type Schedules struct {
	caller *caller
}

func newSchedules(c *caller) *Schedules {
	return &Schedules{
		caller: c,
	}
}

// Tasks has the calls about tasks.
type Tasks struct {
	caller *caller
}

func newTasks(c *caller) *Tasks {
	return &Tasks{
		caller: c,
	}
}

// Agents has the calls about agents.
type Agents struct {
	caller *caller
}

func newAgents(c *caller) *Agents {
	return &Agents{
		caller: c,
	}
}

// Webhooks has the calls about webhooks.
type Webhooks struct {
	Endpoints *Endpoints
	caller    *caller
}

func newWebhooks(c *caller) *Webhooks {
	return &Webhooks{
		Endpoints: newEndpoints(c),
		caller:    c,
	}
}

// Deliveries has the calls about deliveries.
type Deliveries struct {
	Replays *Replays
	caller  *caller
}

func newDeliveries(c *caller) *Deliveries {
	return &Deliveries{
		Replays: newReplays(c),
		caller:  c,
	}
}

// Replays has the calls about replays of deliveries.
type Replays struct {
	caller *caller
}

func newReplays(c *caller) *Replays {
	return &Replays{
		caller: c,
	}
}

// Endpoints has the calls about endpoints of webhooks.
type Endpoints struct {
	caller *caller
}

func newEndpoints(c *caller) *Endpoints {
	return &Endpoints{
		caller: c,
	}
}

// Alerts has the calls about alerts.
type Alerts struct {
	Targets *Targets
	caller  *caller
}

func newAlerts(c *caller) *Alerts {
	return &Alerts{
		Targets: newTargets(c),
		caller:  c,
	}
}

// Targets has the calls about targets of alerts.
type Targets struct {
	caller *caller
}

func newTargets(c *caller) *Targets {
	return &Targets{
		caller: c,
	}
}

// Create queues an execution. A repeat under the same idempotency key makes no second one: it answers
// `IdempotentReplay: true` and the same id.
func (e *Executions) Create(ctx context.Context, fields CreateExecution, key ...IdempotencyKey) (*ExecutionCreated, error) {
	return answerTo[ExecutionCreated](ctx, e.caller, once(call{
		method: "POST",
		path:   "/executions",
		body:   fields,
	}, key))
}

// Validate checks a request without queuing anything. Fails as Create would.
func (e *Executions) Validate(ctx context.Context, fields CreateExecution) (*WouldCreate, error) {
	return answerTo[WouldCreate](ctx, e.caller, call{
		method:     "POST",
		path:       "/executions",
		query:      url.Values{"validate_only": {"true"}},
		body:       fields,
		repeatable: true,
	})
}

// List: The executions of the account, newest first, filtered by the query.
func (e *Executions) List(ctx context.Context, query ExecutionFilter) iter.Seq2[Execution, error] {
	return items[Execution](ctx, e.caller, call{
		method:     "GET",
		path:       "/executions",
		query:      query,
		repeatable: true,
	})
}

// ListPage: One page of List: the first, or that of the cursor.
func (e *Executions) ListPage(ctx context.Context, query ExecutionFilter) (*Page[Execution], error) {
	return answerTo[Page[Execution]](ctx, e.caller, call{
		method:     "GET",
		path:       "/executions",
		query:      query,
		repeatable: true,
	})
}

// Get: The execution and its files.
func (e *Executions) Get(ctx context.Context, id string) (*ExecutionDetail, error) {
	return answerTo[ExecutionDetail](ctx, e.caller, call{
		method:     "GET",
		path:       "/executions/{}",
		ids:        []string{id},
		repeatable: true,
	})
}

// Cancel stops an execution: it becomes `aborted`. A finished one keeps its status, and the answer says
// AlreadyFinished.
func (e *Executions) Cancel(ctx context.Context, id string, fields CancelExecution) (*ExecutionCancelled, error) {
	return answerTo[ExecutionCancelled](ctx, e.caller, call{
		method:     "POST",
		path:       "/executions/{}/cancel",
		ids:        []string{id},
		body:       fields,
		repeatable: true,
	})
}

// CancelAll begins to stop every execution that matches, all that are not finished if the filter is empty: those that
// were created by now. Jobs follows how far that has come, waits for its end, and stops it. With DryRun it says how
// many match.
func (e *Executions) CancelAll(ctx context.Context, fields CancelExecutions, key ...IdempotencyKey) (*CancelBegun, error) {
	return answerTo[CancelBegun](ctx, e.caller, once(call{
		method: "POST",
		path:   "/executions/cancel",
		body:   fields,
	}, key))
}

// Get: The job, and how many executions it has cancelled so far.
func (j *Jobs) Get(ctx context.Context, id string) (*CancelJob, error) {
	return answerTo[CancelJob](ctx, j.caller, call{
		method:     "GET",
		path:       "/executions/jobs/{}",
		ids:        []string{id},
		repeatable: true,
	})
}

// Cancel stops the job after its current batch. What it has cancelled stays cancelled. A finished job stays as it is.
func (j *Jobs) Cancel(ctx context.Context, id string) (*CancelJob, error) {
	return answerTo[CancelJob](ctx, j.caller, call{
		method:     "POST",
		path:       "/executions/jobs/{}/cancel",
		ids:        []string{id},
		repeatable: true,
	})
}

// Release queues an execution that was created with `hold`. Any other stays as it is.
func (e *Executions) Release(ctx context.Context, id string) (*ExecutionMoved, error) {
	return answerTo[ExecutionMoved](ctx, e.caller, call{
		method:     "POST",
		path:       "/executions/{}/release",
		ids:        []string{id},
		repeatable: true,
	})
}

// Rerun queues a new execution of the same work: with the same agent, reference, metadata and callbacks, and its
// params unless others are given. Its RerunOf names the original, which stays as it is.
func (e *Executions) Rerun(ctx context.Context, id string, fields RerunExecution, key ...IdempotencyKey) (*ExecutionCreated, error) {
	return answerTo[ExecutionCreated](ctx, e.caller, once(call{
		method: "POST",
		path:   "/executions/{}/rerun",
		ids:    []string{id},
		body:   fields,
	}, key))
}

// Reschedule changes when an execution starts, as long as it is pending or queued.
func (e *Executions) Reschedule(ctx context.Context, id string, fields RescheduleExecution) (*ExecutionRescheduled, error) {
	return answerTo[ExecutionRescheduled](ctx, e.caller, call{
		method:     "PATCH",
		path:       "/executions/{}",
		ids:        []string{id},
		body:       fields,
		repeatable: true,
	})
}

// Events: Every change of the execution after the number `after`, oldest first. With `wait`, in seconds up to 60, the
// answer comes as soon as there is one, and at once for a finished execution.
func (e *Executions) Events(ctx context.Context, id string, query HistoryQuery) (*ExecutionHistory, error) {
	return answerTo[ExecutionHistory](ctx, e.caller, call{
		method:     "GET",
		path:       "/executions/{}/events",
		ids:        []string{id},
		query:      query,
		wait:       seconds(query.Wait),
		repeatable: true,
	})
}

// Logs: The lines that the runner logged, after the number `after`, oldest first: the newest 1,000 lines of all
// attempts. `wait` is as for Events.
func (e *Executions) Logs(ctx context.Context, id string, query HistoryQuery) (*ExecutionLog, error) {
	return answerTo[ExecutionLog](ctx, e.caller, call{
		method:     "GET",
		path:       "/executions/{}/logs",
		ids:        []string{id},
		query:      query,
		wait:       seconds(query.Wait),
		repeatable: true,
	})
}

// Explain: Everything that stands in its way: a time, a pause, no runner, no free slot, others before it.
func (e *Executions) Explain(ctx context.Context, id string) (*ExecutionExplained, error) {
	return answerTo[ExecutionExplained](ctx, e.caller, call{
		method:     "GET",
		path:       "/executions/{}/explain",
		ids:        []string{id},
		repeatable: true,
	})
}

// Evidence: A signed manifest of an execution that has ended: its files with their SHA-256, its history, the version
// of its task, hashes of its params and result, and who asked for it. Anyone can verify it without the service, by
// the public keys at `/.well-known/runhook/jwks.json`.
func (e *Executions) Evidence(ctx context.Context, id string) (*ExecutionEvidence, error) {
	return answerTo[ExecutionEvidence](ctx, e.caller, call{
		method:     "GET",
		path:       "/executions/{}/evidence",
		ids:        []string{id},
		repeatable: true,
	})
}

// Artifacts: Everything the run has captured so far. Videos have signed URLs, which soon expire; files have stable
// links.
func (e *Executions) Artifacts(ctx context.Context, id string) (*ExecutionArtifacts, error) {
	return answerTo[ExecutionArtifacts](ctx, e.caller, call{
		method:     "GET",
		path:       "/executions/{}/artifacts",
		ids:        []string{id},
		repeatable: true,
	})
}

// Inputs: Every question that the work has asked, answered or not, oldest first.
func (e *Executions) Inputs(ctx context.Context, id string) (*InputList, error) {
	return answerTo[InputList](ctx, e.caller, call{
		method:     "GET",
		path:       "/executions/{}/inputs",
		ids:        []string{id},
		repeatable: true,
	})
}

// Answer gives the value that the work asked for. It must satisfy the question's schema. Repeating an equal answer is
// harmless.
func (e *Executions) Answer(ctx context.Context, executionID, inputID string, fields AnswerInput) (*InputAnswered, error) {
	return answerTo[InputAnswered](ctx, e.caller, call{
		method:     "POST",
		path:       "/executions/{}/inputs/{}",
		ids:        []string{executionID, inputID},
		body:       fields,
		repeatable: true,
	})
}

// List: The schedules of the account, newest first.
func (s *Schedules) List(ctx context.Context, query PageQuery) iter.Seq2[Schedule, error] {
	return items[Schedule](ctx, s.caller, call{
		method:     "GET",
		path:       "/schedules",
		query:      query,
		repeatable: true,
	})
}

// ListPage: One page of List: the first, or that of the cursor.
func (s *Schedules) ListPage(ctx context.Context, query PageQuery) (*Page[Schedule], error) {
	return answerTo[Page[Schedule]](ctx, s.caller, call{
		method:     "GET",
		path:       "/schedules",
		query:      query,
		repeatable: true,
	})
}

// Create adds a schedule: by `cron` in a TimeZone, or EverySeconds. Each of its due times creates exactly one
// execution, as its key may create it then. A create that is refused is kept as the outcome of its due time.
func (s *Schedules) Create(ctx context.Context, fields CreateSchedule) (*ScheduleDetail, error) {
	return answerTo[ScheduleDetail](ctx, s.caller, call{
		method: "POST",
		path:   "/schedules",
		body:   fields,
	})
}

// Get: The schedule, its next due times, and what came of the last one.
func (s *Schedules) Get(ctx context.Context, id string) (*ScheduleDetail, error) {
	return answerTo[ScheduleDetail](ctx, s.caller, call{
		method:     "GET",
		path:       "/schedules/{}",
		ids:        []string{id},
		repeatable: true,
	})
}

// Update changes the given fields; `enabled` pauses and resumes it. With other times, and after a pause, it goes on
// with the first due time from then. A key that gives an `execution`, or enables the schedule, creates its executions
// from then on.
func (s *Schedules) Update(ctx context.Context, id string, fields UpdateSchedule) (*ScheduleDetail, error) {
	return answerTo[ScheduleDetail](ctx, s.caller, call{
		method:     "PATCH",
		path:       "/schedules/{}",
		ids:        []string{id},
		body:       fields,
		repeatable: true,
	})
}

// Remove removes it: nothing more is created. Executions that it has created stay.
func (s *Schedules) Remove(ctx context.Context, id string) error {
	return s.caller.send(ctx, call{
		method:     "DELETE",
		path:       "/schedules/{}",
		ids:        []string{id},
		repeatable: true,
	}, nil)
}

// Trigger creates an execution now, also during a pause. Its due times stay as they are.
func (s *Schedules) Trigger(ctx context.Context, id string, fields TriggerSchedule) (*ScheduleTriggered, error) {
	return answerTo[ScheduleTriggered](ctx, s.caller, call{
		method: "POST",
		path:   "/schedules/{}/trigger",
		ids:    []string{id},
		body:   fields,
	})
}

// List: The tasks that the key may execute, newest first.
func (t *Tasks) List(ctx context.Context, query TaskFilter) iter.Seq2[Task, error] {
	return items[Task](ctx, t.caller, call{
		method:     "GET",
		path:       "/tasks",
		query:      query,
		repeatable: true,
	})
}

// ListPage: One page of List: the first, or that of the cursor.
func (t *Tasks) ListPage(ctx context.Context, query TaskFilter) (*Page[Task], error) {
	return answerTo[Page[Task]](ctx, t.caller, call{
		method:     "GET",
		path:       "/tasks",
		query:      query,
		repeatable: true,
	})
}

// Get: A task with its versions' tags, its policies, and where the JSON Schema of its params is.
func (t *Tasks) Get(ctx context.Context, id string) (*TaskDetail, error) {
	return answerTo[TaskDetail](ctx, t.caller, call{
		method:     "GET",
		path:       "/tasks/{}",
		ids:        []string{id},
		repeatable: true,
	})
}

// ParamsSchema: The JSON Schema of the params of one version: of the current one unless the query names another.
func (t *Tasks) ParamsSchema(ctx context.Context, id string, query VersionQuery) (*ParamsSchema, error) {
	return answerTo[ParamsSchema](ctx, t.caller, call{
		method:     "GET",
		path:       "/tasks/{}/params-schema",
		ids:        []string{id},
		query:      query,
		repeatable: true,
	})
}

// List: The agents that the key may use, and how busy they are.
func (a *Agents) List(ctx context.Context, query PageQuery) iter.Seq2[Agent, error] {
	return items[Agent](ctx, a.caller, call{
		method:     "GET",
		path:       "/agents",
		query:      query,
		repeatable: true,
	})
}

// ListPage: One page of List: the first, or that of the cursor.
func (a *Agents) ListPage(ctx context.Context, query PageQuery) (*Page[Agent], error) {
	return answerTo[Page[Agent]](ctx, a.caller, call{
		method:     "GET",
		path:       "/agents",
		query:      query,
		repeatable: true,
	})
}

// Test queues a signed `webhook.test` event for the URL, to try out a receiver. It is sent even while the breaker of
// its receiver is open, one test at a time; WaitingFor says what else it waits for.
func (w *Webhooks) Test(ctx context.Context, fields TestWebhook) (*TestWebhookQueued, error) {
	return answerTo[TestWebhookQueued](ctx, w.caller, call{
		method: "POST",
		path:   "/webhooks/test",
		body:   fields,
	})
}

// List: The webhook deliveries of the key's executions, newest first, in any state.
func (d *Deliveries) List(ctx context.Context, query DeliveryFilter) iter.Seq2[Delivery, error] {
	return items[Delivery](ctx, d.caller, call{
		method:     "GET",
		path:       "/webhooks/deliveries",
		query:      query,
		repeatable: true,
	})
}

// ListPage: One page of List: the first, or that of the cursor.
func (d *Deliveries) ListPage(ctx context.Context, query DeliveryFilter) (*Page[Delivery], error) {
	return answerTo[Page[Delivery]](ctx, d.caller, call{
		method:     "GET",
		path:       "/webhooks/deliveries",
		query:      query,
		repeatable: true,
	})
}

// Get: A delivery with the exact body that is sent, and what each attempt sent and received.
func (d *Deliveries) Get(ctx context.Context, id string) (*DeliveryDetail, error) {
	return answerTo[DeliveryDetail](ctx, d.caller, call{
		method:     "GET",
		path:       "/webhooks/deliveries/{}",
		ids:        []string{id},
		repeatable: true,
	})
}

// Replay makes a delivered, dead or cancelled delivery due again. It keeps its event id and body, and gets a fresh
// signature.
func (d *Deliveries) Replay(ctx context.Context, id string) (*DeliveryReplayed, error) {
	return answerTo[DeliveryReplayed](ctx, d.caller, call{
		method: "POST",
		path:   "/webhooks/deliveries/{}/replay",
		ids:    []string{id},
	})
}

// ReplayAll begins to send again every delivery that matches and is settled by now, all dead ones unless the filter
// chooses. Replays follows how far that has come.
func (d *Deliveries) ReplayAll(ctx context.Context, fields ReplayDeliveries) (*Replay, error) {
	return answerTo[Replay](ctx, d.caller, call{
		method: "POST",
		path:   "/webhooks/replays",
		body:   fields,
	})
}

// WouldReplay: What ReplayAll would do: how many deliveries it would send again, to whom. Changes nothing.
func (d *Deliveries) WouldReplay(ctx context.Context, fields ReplayDeliveries) (*WouldReplay, error) {
	return answerTo[WouldReplay](ctx, d.caller, call{
		method: "POST",
		path:   "/webhooks/replays",
		body: struct {
			ReplayDeliveries
			DryRun bool `json:"dry_run"`
		}{fields, true},
		repeatable: true,
	})
}

// List: The jobs of the key, newest first. A job is removed 30 days after its end.
func (r *Replays) List(ctx context.Context, query PageQuery) iter.Seq2[ReplayJob, error] {
	return items[ReplayJob](ctx, r.caller, call{
		method:     "GET",
		path:       "/webhooks/replays",
		query:      query,
		repeatable: true,
	})
}

// ListPage: One page of List: the first, or that of the cursor.
func (r *Replays) ListPage(ctx context.Context, query PageQuery) (*Page[ReplayJob], error) {
	return answerTo[Page[ReplayJob]](ctx, r.caller, call{
		method:     "GET",
		path:       "/webhooks/replays",
		query:      query,
		repeatable: true,
	})
}

// Get: The job, and how many deliveries it has made due so far.
func (r *Replays) Get(ctx context.Context, id string) (*Replay, error) {
	return answerTo[Replay](ctx, r.caller, call{
		method:     "GET",
		path:       "/webhooks/replays/{}",
		ids:        []string{id},
		repeatable: true,
	})
}

// Cancel stops a job. Deliveries that it has already made due are still sent.
func (r *Replays) Cancel(ctx context.Context, id string) (*Replay, error) {
	return answerTo[Replay](ctx, r.caller, call{
		method:     "POST",
		path:       "/webhooks/replays/{}/cancel",
		ids:        []string{id},
		repeatable: true,
	})
}

// List: The endpoints of the key: those that it has made, oldest first.
func (e *Endpoints) List(ctx context.Context) (*WebhookEndpointList, error) {
	return answerTo[WebhookEndpointList](ctx, e.caller, call{
		method:     "GET",
		path:       "/webhooks/endpoints",
		repeatable: true,
	})
}

// Create adds a receiver: every matching event from now on is delivered to it, beside the CallbackURL of its
// execution, under an event id of its own. Only this answer has the signing secret. An account has at most 20
// endpoints. It takes `executions:read` beside `endpoints:manage`, since events show results; a key that loses one of
// them is told nothing more.
func (e *Endpoints) Create(ctx context.Context, fields CreateWebhookEndpoint) (*WebhookEndpointCreated, error) {
	return answerTo[WebhookEndpointCreated](ctx, e.caller, call{
		method: "POST",
		path:   "/webhooks/endpoints",
		body:   fields,
	})
}

// Get: An endpoint, without its signing secret.
func (e *Endpoints) Get(ctx context.Context, id string) (*WebhookEndpointDetail, error) {
	return answerTo[WebhookEndpointDetail](ctx, e.caller, call{
		method:     "GET",
		path:       "/webhooks/endpoints/{}",
		ids:        []string{id},
		repeatable: true,
	})
}

// Update changes or pauses it, for events from now on.
func (e *Endpoints) Update(ctx context.Context, id string, fields UpdateWebhookEndpoint) (*WebhookEndpointDetail, error) {
	return answerTo[WebhookEndpointDetail](ctx, e.caller, call{
		method:     "PATCH",
		path:       "/webhooks/endpoints/{}",
		ids:        []string{id},
		body:       fields,
		repeatable: true,
	})
}

// Remove removes it: no further events are delivered to it. What waits for it becomes `cancelled`.
func (e *Endpoints) Remove(ctx context.Context, id string) error {
	return e.caller.send(ctx, call{
		method:     "DELETE",
		path:       "/webhooks/endpoints/{}",
		ids:        []string{id},
		repeatable: true,
	}, nil)
}

// Rotate replaces its signing secret: the new one signs from now on, the old one beside it during the overlap. Only
// this answer has the new one.
func (e *Endpoints) Rotate(ctx context.Context, id string, fields RotateEndpointSecret) (*EndpointSecretRotated, error) {
	return answerTo[EndpointSecretRotated](ctx, e.caller, call{
		method: "POST",
		path:   "/webhooks/endpoints/{}/rotate",
		ids:    []string{id},
		body:   fields,
	})
}

// Test queues a signed `webhook.test` event, also while the endpoint is not enabled. It is sent even while the
// breaker of its receiver is open, one test at a time; WaitingFor says what else it waits for.
func (e *Endpoints) Test(ctx context.Context, id string) (*EndpointTested, error) {
	return answerTo[EndpointTested](ctx, e.caller, call{
		method: "POST",
		path:   "/webhooks/endpoints/{}/test",
		ids:    []string{id},
	})
}

// Fetch fetches messages, for receivers that cannot be called. They are leased for 60 seconds: those that are not
// acknowledged by then are given out again. With `wait`, the answer comes as soon as there is a message. Each is
// signed as it would be if it were sent; those of one execution come in the order of its changes. It takes
// `executions:read` beside `endpoints:manage`, since events show results; a key that loses one of them is told
// nothing more.
func (e *Endpoints) Fetch(ctx context.Context, id string, query FetchMessages) (*WebhookMessageList, error) {
	return answerTo[WebhookMessageList](ctx, e.caller, call{
		method:     "GET",
		path:       "/webhooks/endpoints/{}/messages",
		ids:        []string{id},
		query:      query,
		wait:       seconds(query.Wait),
		repeatable: true,
	})
}

// Acknowledge says that messages have arrived. Later events of their executions may follow.
func (e *Endpoints) Acknowledge(ctx context.Context, id string, fields AcknowledgeMessages) (*MessagesAcknowledged, error) {
	return answerTo[MessagesAcknowledged](ctx, e.caller, call{
		method:     "POST",
		path:       "/webhooks/endpoints/{}/messages/ack",
		ids:        []string{id},
		body:       fields,
		repeatable: true,
	})
}

// List: What is wrong in the account of the key, and what was in the last days.
func (a *Alerts) List(ctx context.Context) (*AlertList, error) {
	return answerTo[AlertList](ctx, a.caller, call{
		method:     "GET",
		path:       "/alerts",
		repeatable: true,
	})
}

// List: The webhooks and mailboxes that are told of alerts in the account of the key, oldest first.
func (t *Targets) List(ctx context.Context) (*AlertTargetList, error) {
	return answerTo[AlertTargetList](ctx, t.caller, call{
		method:     "GET",
		path:       "/alert-targets",
		repeatable: true,
	})
}

// Create adds a webhook or a mailbox that is told of alerts in the account of the key, at most 10. Only this answer
// has the signing secret.
func (t *Targets) Create(ctx context.Context, fields CreateAlertTarget) (*AlertTargetCreated, error) {
	return answerTo[AlertTargetCreated](ctx, t.caller, call{
		method: "POST",
		path:   "/alert-targets",
		body:   fields,
	})
}

// Get: A target, and whether it took the last message.
func (t *Targets) Get(ctx context.Context, id string) (*AlertTargetDetail, error) {
	return answerTo[AlertTargetDetail](ctx, t.caller, call{
		method:     "GET",
		path:       "/alert-targets/{}",
		ids:        []string{id},
		repeatable: true,
	})
}

// Update chooses which alerts it gets, or pauses it. For another address or a new signing secret, add a new target
// and remove this one.
func (t *Targets) Update(ctx context.Context, id string, fields UpdateAlertTarget) (*AlertTargetDetail, error) {
	return answerTo[AlertTargetDetail](ctx, t.caller, call{
		method:     "PATCH",
		path:       "/alert-targets/{}",
		ids:        []string{id},
		body:       fields,
		repeatable: true,
	})
}

// Remove removes it: no further alerts are sent to it.
func (t *Targets) Remove(ctx context.Context, id string) error {
	return t.caller.send(ctx, call{
		method:     "DELETE",
		path:       "/alert-targets/{}",
		ids:        []string{id},
		repeatable: true,
	}, nil)
}

// Test sends a message now, also during a pause, and answers whether it was taken: at most 20 in an hour, 5 to one
// mailbox.
func (t *Targets) Test(ctx context.Context, id string) (*AlertTargetTested, error) {
	return answerTo[AlertTargetTested](ctx, t.caller, call{
		method: "POST",
		path:   "/alert-targets/{}/test",
		ids:    []string{id},
	})
}

// Me: The calling key: its account, its scope, and its limits as they hold, beside what it has of them. Any key may
// ask.
func (c *Client) Me(ctx context.Context) (*Me, error) {
	return answerTo[Me](ctx, c.caller, call{
		method:     "GET",
		path:       "/me",
		repeatable: true,
	})
}
