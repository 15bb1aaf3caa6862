package runhook

import (
	"cmp"
	"context"
	"fmt"
	"time"
)

// waitSeconds are how long the service is asked to wait each time: less than the usual timeout of proxies.
const waitSeconds = 25

// IdempotencyKey makes a call take effect once, however often it is made with this key. Unless given, each call has a key
// of its own, which it sends with every attempt.
type IdempotencyKey string

// Within ends a wait with a TimeoutError after this time. Unless given, the context alone ends it.
type Within time.Duration

// Until says what a wait waits for.
type Until int

const (
	// UntilFinished waits for the end, however it comes, as a wait does unless told otherwise.
	UntilFinished Until = iota
	// UntilInput waits for the end, and also until the work asks for input.
	UntilInput
)

// A CreateAndWaitOption is an IdempotencyKey, or a WaitOption.
type CreateAndWaitOption interface{ apply(*callOptions) }

// A WaitOption says when a wait ends: Until or Within.
type WaitOption interface {
	CreateAndWaitOption
	endsWait()
}

type callOptions struct {
	until          Until
	within         time.Duration
	idempotencyKey IdempotencyKey
}

func (k IdempotencyKey) apply(o *callOptions) { o.idempotencyKey = k }
func (w Within) apply(o *callOptions)         { o.within = time.Duration(w) }
func (u Until) apply(o *callOptions)          { o.until = u }
func (Within) endsWait()                      {}
func (Until) endsWait()                       {}

func optionsOf[O CreateAndWaitOption](given []O) callOptions {
	options := callOptions{within: forever}
	for _, option := range given {
		option.apply(&options)
	}
	return options
}

// once gives the call an idempotency key: the caller's, or one of its own.
func once(c call, given []IdempotencyKey) call {
	c.idempotencyKey = cmp.Or(string(optionsOf(given).idempotencyKey), randomKey())
	return c
}

// waitFor looks until the answer is final, at most every two seconds. An unavailable service does not end the wait: only
// its limit, its context or a refusal does.
func waitFor[A any](
	ctx context.Context, c *caller, name string, look call, within time.Duration, isOver func(*A) bool,
) (*A, error) {
	sent, err := look.sendable(c.apiRoot)
	if err != nil {
		return nil, err
	}
	endsAt := c.clock.now() + within
	failures := 0
	for number := 1; ; number++ {
		lookedAt := c.clock.now()
		a := attempt{c, sent, ctx, number, min(c.AttemptTimeout+look.wait, endsAt-lookedAt)}
		seen := new(A)
		err := a.logged(a.answer(seen))
		var pause time.Duration
		if err == nil {
			if isOver(seen) {
				return seen, nil
			}
			failures = 0
			pause = max(0, lookedAt+lookPause-c.clock.now())
		} else {
			failed := callErrorOf(err)
			if ctx.Err() != nil || !isWorthRetrying(failed.Status, true) {
				return nil, err
			}
			failures++
			pause = pauseAfter(failures, failed.RetryAfter, c.clock)
		}
		left := endsAt - c.clock.now()
		if c.clock.sleep(ctx, max(0, min(pause, left))) != nil {
			return nil, a.ended()
		}
		if left <= pause {
			late := a.about("", context.DeadlineExceeded)
			late.Message = fmt.Sprintf("%s is not over after %s", name, within)
			return nil, &TimeoutError{late}
		}
	}
}
