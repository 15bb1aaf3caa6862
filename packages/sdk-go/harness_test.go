package runhook

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"
)

// calls are made for tests that are written elsewhere, which add them to this package when it is compiled. Each has the
// text of its expression.
var calls = map[string]func(ctx context.Context, client *Client, given map[string]any) (any, error){}

// TestMain answers those tests where they ask for it: one JSON object a line, in and out.
func TestMain(m *testing.M) {
	if os.Getenv("RUNHOOK_HARNESS") == "" {
		os.Exit(m.Run())
	}
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		text, err := json.Marshal(answered(lines.Bytes()))
		if err != nil {
			panic(err)
		}
		fmt.Println(string(text))
	}
}

// harnessCall is a call, and the client that makes it. All times are in seconds.
type harnessCall struct {
	Call    string         `json:"call"`
	Given   map[string]any `json:"given"`
	Clock   bool           `json:"clock"`
	Options struct {
		BaseURL        string   `json:"base_url"`
		APIKey         string   `json:"api_key"`
		Retries        *int     `json:"retries"`
		AttemptTimeout *float64 `json:"attempt_timeout"`
		Timeout        *float64 `json:"timeout"`
	} `json:"options"`
}

type harnessAnswer struct {
	Value  any            `json:"value"`
	Error  map[string]any `json:"error,omitempty"`
	Pauses []float64      `json:"pauses"`
}

func answered(line []byte) (answer harnessAnswer) {
	var asked harnessCall
	if err := json.Unmarshal(line, &asked); err != nil {
		panic(err)
	}
	clock := &testClock{}
	answer.Pauses = []float64{}
	client, err := New(asked.options())
	if err == nil {
		if asked.Clock {
			client.caller.clock = clock
		}
		answer.Value, err = calls[asked.Call](context.Background(), client, asked.Given)
	}
	if err != nil {
		answer = harnessAnswer{Error: failed(err), Pauses: answer.Pauses}
	}
	for _, pause := range clock.pauses {
		answer.Pauses = append(answer.Pauses, pause.Seconds())
	}
	return answer
}

func (c harnessCall) options() Options {
	options := Options{BaseURL: c.Options.BaseURL, APIKey: c.Options.APIKey, Retries: c.Options.Retries}
	// By itself net/http sends a request again, uncounted, when the connection that it kept has been closed.
	options.HTTPClient = &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	if c.Options.AttemptTimeout != nil {
		options.AttemptTimeout = limit(*c.Options.AttemptTimeout)
	}
	if c.Options.Timeout != nil {
		options.Timeout = limit(*c.Options.Timeout)
	}
	return options
}

// limit is a time limit; the shortest there is for none at all, since 0 is the usual one.
func limit(seconds float64) time.Duration { return max(1, time.Duration(seconds*float64(time.Second))) }

// failed is what an error tells, by the names that all languages have for it.
func failed(err error) map[string]any {
	var call *CallError
	if !errors.As(err, &call) {
		return map[string]any{"class": "misuse", "message": err.Error()}
	}
	told := map[string]any{
		"class":        strings.TrimPrefix(fmt.Sprintf("%T", err), "*runhook."),
		"message":      call.Message,
		"attempts":     call.Attempts,
		"status":       orNil(call.Status),
		"request_id":   orNil(call.RequestID),
		"execution_id": orNil(call.ExecutionID),
		"retry_after":  nil,
	}
	if call.RetryAfter != nil {
		told["retry_after"] = call.RetryAfter.Seconds()
	}
	var refused *APIError
	if errors.As(err, &refused) {
		told["class"], told["code"], told["details"] = classOf(refused.Code), refused.Code, refused.Details
	}
	var unexpected *UnexpectedAnswerError
	if errors.As(err, &unexpected) {
		told["body"] = unexpected.Body
	}
	return told
}

func orNil[T comparable](value T) any {
	if value == *new(T) {
		return nil
	}
	return value
}

// classOf names the class that a code has in languages of classes.
func classOf(code ErrorCode) string {
	class, isKnown := map[ErrorCode]string{
		ErrorCodeInvalidRequest:          "InvalidRequestError",
		ErrorCodeUnauthorized:            "UnauthorizedError",
		ErrorCodeForbidden:               "ForbiddenError",
		ErrorCodeNotFound:                "NotFoundError",
		ErrorCodeRateLimited:             "RateLimitedError",
		ErrorCodeInvalidParams:           "InvalidParamsError",
		ErrorCodeIdempotencyConflict:     "IdempotencyConflictError",
		ErrorCodeConcurrencyLimitReached: "ConcurrencyLimitReachedError",
		ErrorCodeInternalError:           "InternalError",
	}[code]
	if !isKnown {
		return "ApiError"
	}
	return class
}

// testClock's pauses are over at once, and make it later by their length. Chance is always the middle.
type testClock struct{ pauses []time.Duration }

func (c *testClock) now() (sum time.Duration) {
	for _, pause := range c.pauses {
		sum += pause
	}
	return sum
}

func (c *testClock) random() float64 { return 0.5 }

func (c *testClock) sleep(ctx context.Context, pause time.Duration) error {
	c.pauses = append(c.pauses, pause)
	return ctx.Err()
}

// collect gives all items of a list or a log.
func collect[Item any](items iter.Seq2[Item, error]) (any, error) {
	all := []Item{}
	for item, err := range items {
		if err != nil {
			return nil, err
		}
		all = append(all, item)
	}
	return all, nil
}

// raw gives the answer to a request.
func raw(ctx context.Context, client *Client, request Request) (any, error) {
	var answer map[string]any
	err := client.Request(ctx, request, &answer)
	return answer, err
}

// nothing is the answer of a call that has none.
func nothing(err error) (any, error) { return nil, err }

// at gives the text at a path of names.
func at(given map[string]any, path string) string {
	var value any = given
	for _, name := range strings.Split(path, ".") {
		value = value.(map[string]any)[name]
	}
	return value.(string)
}

// as reads a value as the body of a request.
func as[Body any](value any) (body Body) {
	text, err := json.Marshal(value)
	if err = errors.Join(err, json.Unmarshal(text, &body)); err != nil {
		panic(err)
	}
	return body
}

// contents are those of an open file.
func contents(download *Download, err error) (any, error) {
	if err != nil {
		return nil, err
	}
	text, err := io.ReadAll(download)
	return string(text), errors.Join(err, download.Close())
}
