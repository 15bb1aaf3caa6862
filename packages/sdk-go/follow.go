package runhook

import (
	"context"
	"iter"
	"math"
)

// A following is a log of numbered items that is read as it grows.
type following[Item any] struct {
	// look gives what comes after a number, and waits for it if there is nothing yet.
	look     func(after int64) ([]Item, error)
	sequence func(Item) int64
	isLast   func(Item) bool
	// isOver tells whether nothing is added any more, where no item says that it is the last.
	isOver func() (bool, error)
}

// items gives the items after a number as they come, until the last one.
func (f following[Item]) items(ctx context.Context, clock clock, after int64) iter.Seq2[Item, error] {
	return func(yield func(Item, error) bool) {
		if err := f.read(ctx, clock, after, yield); err != nil {
			var none Item
			yield(none, err)
		}
	}
}

func (f following[Item]) read(ctx context.Context, clock clock, after int64, yield func(Item, error) bool) error {
	// From the item that the caller has, which may be the last.
	position := max(0, after-1)
	isFinal := false
	for {
		lookedAt := clock.now()
		data, err := f.look(position)
		if err != nil {
			return err
		}
		for _, item := range data {
			if f.sequence(item) > after && !yield(item, nil) {
				return nil
			}
		}
		if len(data) > 0 {
			last := data[len(data)-1]
			if f.isLast(last) {
				return nil
			}
			position = f.sequence(last)
			continue
		}
		if isFinal {
			return nil
		}
		if isFinal, err = f.isOver(); err != nil {
			return err
		}
		if !isFinal && clock.sleep(ctx, max(0, lookedAt+lookPause-clock.now())) != nil {
			return attempt{ctx: ctx}.ended()
		}
	}
}

// patient goes on until the service is back, unless its retries are limited.
func (e *Executions) patient() *Executions {
	caller := *e.caller
	caller.Timeout = forever
	if caller.Retries == nil {
		caller.Retries = Ptr(math.MaxInt)
	}
	return newExecutions(&caller)
}

// FollowEvents gives the events of an execution as they happen, until it is over. It goes on over lost connections and a
// restart of the service, without a gap. Events up to the sequence after are left out; 0 gives all.
//
//	for event, err := range client.Executions.FollowEvents(ctx, id, 0) {
func (e *Executions) FollowEvents(ctx context.Context, id string, after int64) iter.Seq2[ExecutionHistoryEvent, error] {
	patient := e.patient()
	return following[ExecutionHistoryEvent]{
		look: func(after int64) ([]ExecutionHistoryEvent, error) {
			history, err := patient.Events(ctx, id, HistoryQuery{After: int(after), Wait: waitSeconds})
			if err != nil {
				return nil, err
			}
			return history.Data, nil
		},
		sequence: func(event ExecutionHistoryEvent) int64 { return event.Sequence },
		isLast:   func(event ExecutionHistoryEvent) bool { return event.Status.IsFinished() },
		isOver:   func() (bool, error) { return false, nil },
	}.items(ctx, e.caller.clock, after)
}

// FollowLogs gives the lines of an execution's log as the work writes them, until it is over; otherwise as FollowEvents.
func (e *Executions) FollowLogs(ctx context.Context, id string, after int64) iter.Seq2[ExecutionLogLine, error] {
	patient := e.patient()
	return following[ExecutionLogLine]{
		look: func(after int64) ([]ExecutionLogLine, error) {
			log, err := patient.Logs(ctx, id, HistoryQuery{After: int(after), Wait: waitSeconds})
			if err != nil {
				return nil, err
			}
			return log.Data, nil
		},
		sequence: func(line ExecutionLogLine) int64 { return line.Sequence },
		isLast:   func(ExecutionLogLine) bool { return false },
		isOver: func() (bool, error) {
			seen, err := patient.Get(ctx, id)
			return err == nil && seen.Status.IsFinished(), err
		},
	}.items(ctx, e.caller.clock, after)
}
