package runhook

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// A CallError is what every failed call tells. Errors of misuse, such as an empty id, are plain ones. Neither its message
// nor what it wraps ever contains the key.
//
//	var failed *runhook.CallError
//	if errors.As(err, &failed) && failed.ExecutionID != "" {
//		execution, err = client.Executions.WaitFor(ctx, failed.ExecutionID)
//	}
type CallError struct {
	// Message says what went wrong, for people.
	Message string
	// Status is the HTTP status of the last answer; 0 when there was none.
	Status int
	// RequestID is the correlation id of the last answer. Quote it to the service's operator.
	RequestID string
	// Attempts is the number of requests that were sent.
	Attempts int
	// RetryAfter is how long the service asked to wait before a retry; nil when it did not.
	RetryAfter *time.Duration
	// ExecutionID is the execution that was created or waited for, which goes on; empty when there is none yet.
	ExecutionID string

	cause error
}

// Error is the message, with the request id.
func (e *CallError) Error() string {
	if e.RequestID == "" {
		return "runhook: " + e.Message
	}
	return fmt.Sprintf("runhook: %s (request %s)", e.Message, e.RequestID)
}

// Unwrap gives what went wrong below HTTP, or the error of the call's context; nil if there was an answer.
func (e *CallError) Unwrap() error { return e.cause }

// As lets errors.As find the CallError in an error of a kind.
func (e *CallError) As(target any) bool {
	found, isCallError := target.(**CallError)
	if isCallError {
		*found = e
	}
	return isCallError
}

// An APIError is a refusal of the service. errors.Is compares its code:
//
//	if errors.Is(err, runhook.ErrorCodeNotFound) {
type APIError struct {
	*CallError
	// Code is for programs, and stable over time.
	Code ErrorCode
	// Details is what the code alone does not say; nil when there is nothing more.
	Details JSON
}

// Is tells whether this is the code of the refusal.
func (e *APIError) Is(target error) bool { return target == error(e.Code) }

// Error lets errors.Is find the code of a refusal.
func (c ErrorCode) Error() string { return string(c) }

// A ConnectionError means that the service could not be reached, or its answer broke off.
type ConnectionError struct{ *CallError }

// A TimeoutError means that there was no answer within the time limit of an attempt, of the call or of its context, or
// that a wait did not end within its own. It wraps context.DeadlineExceeded.
type TimeoutError struct{ *CallError }

// Timeout is always true.
func (e *TimeoutError) Timeout() bool { return true }

// An UnexpectedAnswerError is an answer that does not come from the service: a proxy's page, or a body that is not the
// JSON of an answer.
type UnexpectedAnswerError struct {
	*CallError
	// Body is the first 1,000 characters of the body.
	Body string
}

// callErrorOf gives what a failed call tells; nil for an error of misuse.
func callErrorOf(err error) *CallError {
	var failed *CallError
	errors.As(err, &failed)
	return failed
}

// about begins the error of an attempt. Its message names the execution that the call concerns.
func (a attempt) about(message string, cause error) *CallError {
	if a.executionID != "" {
		message = fmt.Sprintf("Execution %s: %s", a.executionID, message)
	}
	return &CallError{Message: message, Attempts: a.number, ExecutionID: a.executionID, cause: cause}
}

// ended is the error of a call that its context ended.
func (a attempt) ended() error {
	if errors.Is(a.ctx.Err(), context.DeadlineExceeded) {
		return &TimeoutError{a.about("No answer before the deadline of the context", a.ctx.Err())}
	}
	return a.about("The context was cancelled", a.ctx.Err())
}

// unanswered is the error of an attempt that no answer came to, or not all of one.
func (a attempt) unanswered(timed context.Context, cause error) error {
	switch {
	case a.ctx.Err() != nil:
		return a.ended()
	case context.Cause(timed) == errLate:
		return &TimeoutError{a.about(fmt.Sprintf("No answer within %s", max(a.limit, 0)), context.DeadlineExceeded)}
	}
	// Its text has the query, which may contain secrets.
	var whole *url.Error
	if errors.As(cause, &whole) {
		cause = whole.Err
	}
	return &ConnectionError{a.about("Could not reach the service: "+a.withoutKey(cause.Error()), cause)}
}

// refused is the error of an answer that is no success, or that is not the JSON of one.
func (a attempt) refused(response *http.Response, raw []byte, cause error) error {
	// Some proxies quote the request in their pages.
	text := a.withoutKey(string(raw))
	about := a.about("", cause)
	about.Status = response.StatusCode
	about.RequestID = response.Header.Get("X-Request-Id")
	about.RetryAfter = retryAfterOf(response.Header)
	if refusal := refusalIn(text); refusal != nil && !isSuccess(response) {
		about.Message += cmp.Or(refusal.Message, string(refusal.Code))
		about.RequestID = cmp.Or(refusal.RequestID, about.RequestID)
		return &APIError{CallError: about, Code: refusal.Code, Details: refusal.Details}
	}
	kind := cmp.Or(response.Header.Get("Content-Type"), "no content type")
	about.Message += fmt.Sprintf(
		"Something else than the service answered: %d with %s. Is the base URL right?", response.StatusCode, kind)
	return &UnexpectedAnswerError{CallError: about, Body: firstCharacters(text, 1_000)}
}

func (a attempt) withoutKey(text string) string { return strings.ReplaceAll(text, a.APIKey, "[key]") }

// refusalIn gives the error object in a body; nil if there is none.
func refusalIn(text string) *ErrorObject {
	var body struct {
		Error *ErrorObject `json:"error"`
	}
	if json.Unmarshal([]byte(text), &body) != nil || body.Error == nil || body.Error.Code == "" {
		return nil
	}
	return body.Error
}

func firstCharacters(text string, count int) string {
	characters := []rune(text)
	return string(characters[:min(count, len(characters))])
}
