package runhook

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"runtime"
	"strings"
	"time"
)

// A caller makes calls: their attempts, the pauses between them, and the time limits.
type caller struct {
	Options
	apiRoot string
	clock   clock
	// http follows no redirects, which would carry the key elsewhere.
	http *http.Client
}

func callerOf(options Options, clock clock) (*caller, error) {
	apiRoot, checked, err := options.checked()
	client := *options.HTTPClient
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &caller{Options: checked, apiRoot: apiRoot, clock: clock, http: &client}, err
}

var userAgent = fmt.Sprintf("runhook-sdk/%s (go/%s)", Version, strings.TrimPrefix(runtime.Version(), "go"))

// answerTo gives the answer to a call.
func answerTo[A any](ctx context.Context, c *caller, call call) (*A, error) {
	answer := new(A)
	if err := c.send(ctx, call, answer); err != nil {
		return nil, err
	}
	return answer, nil
}

// send decodes the JSON of the answer into answer, unless that is nil.
func (c *caller) send(ctx context.Context, call call, answer any) error {
	return c.retried(ctx, call, func(a attempt) error { return a.answer(answer) })
}

// An attempt sends a call once.
type attempt struct {
	*caller
	sendable
	// ctx is that of the call.
	ctx context.Context
	// number is counted from 1.
	number int
	// limit is the time for the answer.
	limit time.Duration
}

// retried makes attempts until one succeeds or another cannot help.
func (c *caller) retried(ctx context.Context, call call, once func(attempt) error) error {
	sent, err := call.sendable(c.apiRoot)
	if err != nil {
		return err
	}
	endsAt := c.clock.now() + c.Timeout
	for number := 1; ; number++ {
		a := attempt{c, sent, ctx, number, min(c.AttemptTimeout+call.wait, endsAt-c.clock.now())}
		err := a.logged(once(a))
		failed := callErrorOf(err)
		if failed == nil || ctx.Err() != nil {
			return err
		}
		pause := pauseAfter(number, failed.RetryAfter, c.clock)
		if number > c.retriesAfter(failed.Status) ||
			!isWorthRetrying(failed.Status, call.repeatable || call.idempotencyKey != "") ||
			c.clock.now()+pause >= endsAt {
			return err
		}
		if c.clock.sleep(ctx, pause) != nil {
			return a.ended()
		}
	}
}

// answer is a JSON object, unless none is expected.
func (a attempt) answer(answer any) error {
	timed, _, stop := limited(a.ctx, a.limit)
	defer stop()
	response, err := a.exchange(timed)
	return a.read(timed, response, err, answer)
}

// exchange sends a call with the key, and gives the answer with its body still to be read.
func (a attempt) exchange(timed context.Context) (*http.Response, error) {
	request, err := http.NewRequestWithContext(timed, a.method, a.url, bytes.NewReader(a.payload))
	if err != nil {
		return nil, err
	}
	request.Header = a.Header.Clone()
	request.Header.Set("User-Agent", userAgent)
	if a.payload != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	if a.idempotencyKey != "" {
		request.Header.Set("Idempotency-Key", a.idempotencyKey)
	}
	request.Header.Set("Authorization", "Bearer "+a.APIKey)
	return a.http.Do(request)
}

// read reads the whole body of an answer.
func (a attempt) read(timed context.Context, response *http.Response, err error, answer any) error {
	var raw []byte
	if err == nil {
		defer response.Body.Close()
		raw, err = io.ReadAll(response.Body)
	}
	if err != nil {
		return a.unanswered(timed, err)
	}
	if response.StatusCode == http.StatusNoContent && a.mayBeEmpty {
		return nil
	}
	if isSuccess(response) {
		if err = decoded(raw, answer); err == nil {
			return nil
		}
	}
	return a.refused(response, raw, err)
}

func isSuccess(response *http.Response) bool { return response.StatusCode/100 == 2 }

func decoded(raw []byte, answer any) error {
	if answer == nil {
		return nil
	}
	if !bytes.HasPrefix(bytes.TrimLeft(raw, " \t\r\n"), []byte("{")) {
		return errors.New("the body is not a JSON object")
	}
	return json.Unmarshal(raw, answer)
}

// errLate ends an attempt at its limit.
var errLate = errors.New("the time is over")

// limited gives a context that ends after a time unless the limit is lifted, and what lifts it.
func limited(ctx context.Context, limit time.Duration) (timed context.Context, lift func() bool, stop func()) {
	timed, cancel := context.WithCancelCause(ctx)
	timer := time.AfterFunc(limit, func() { cancel(errLate) })
	return timed, timer.Stop, func() {
		timer.Stop()
		cancel(nil)
	}
}

// logged writes down how the attempt went.
func (a attempt) logged(err error) error {
	failed := callErrorOf(err)
	if failed == nil {
		failed = &CallError{Message: "answered"}
	}
	a.Logger.LogAttrs(a.ctx, slog.LevelDebug, "runhook: "+failed.Message,
		slog.String("method", a.method), slog.String("path", a.path), slog.Int("attempt", a.number),
		slog.Int("status", failed.Status), slog.String("request_id", failed.RequestID))
	return err
}
