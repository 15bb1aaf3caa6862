package runhook

import (
	"context"
	"slices"
)

// IsFinished tells whether nothing more happens to an execution of this status. One of a later version counts as
// unfinished.
func (s ExecutionStatus) IsFinished() bool { return slices.Contains(finishedStatuses, s) }

// WaitFor waits until the execution is over, however it ended: look at its Status. The wait goes on while the service is
// away.
func (e *Executions) WaitFor(ctx context.Context, id string, options ...WaitOption) (*ExecutionDetail, error) {
	return e.waitFor(ctx, id, optionsOf(options))
}

func (e *Executions) waitFor(ctx context.Context, id string, options callOptions) (*ExecutionDetail, error) {
	look := call{
		method: "GET", path: "/executions/{}", ids: []string{id}, repeatable: true,
		query: HistoryQuery{Wait: waitSeconds}, wait: seconds(waitSeconds), executionID: id,
	}
	return waitFor(ctx, e.caller, "Execution "+id, look, options.within, func(seen *ExecutionDetail) bool {
		return seen.Status.IsFinished() || options.until == UntilInput && seen.Status == ExecutionStatusAwaitingInput
	})
}

// CreateAndWait queues an execution and waits until it is over, however it ended: look at its Status. It fails as Create
// and WaitFor do. An error after the create has the execution in its ExecutionID.
func (e *Executions) CreateAndWait(
	ctx context.Context, fields CreateExecution, options ...CreateAndWaitOption,
) (*ExecutionDetail, error) {
	given := optionsOf(options)
	created, err := e.Create(ctx, fields, given.idempotencyKey)
	if err != nil {
		return nil, err
	}
	return e.waitFor(ctx, created.ExecutionID, given)
}

// WaitFor waits until the job is completed or stopped. The wait goes on while the service is away.
func (j *Jobs) WaitFor(ctx context.Context, id string, within ...Within) (*CancelJob, error) {
	look := call{method: "GET", path: "/executions/jobs/{}", ids: []string{id}, repeatable: true}
	return waitFor(ctx, j.caller, "Job "+id, look, optionsOf(within).within, func(seen *CancelJob) bool {
		return seen.FinishedAt != nil
	})
}

// WaitFor waits until the replay is completed or cancelled. The wait goes on while the service is away.
func (r *Replays) WaitFor(ctx context.Context, id string, within ...Within) (*Replay, error) {
	look := call{method: "GET", path: "/webhooks/replays/{}", ids: []string{id}, repeatable: true}
	return waitFor(ctx, r.caller, "Replay "+id, look, optionsOf(within).within, func(seen *Replay) bool {
		return seen.FinishedAt != nil
	})
}
