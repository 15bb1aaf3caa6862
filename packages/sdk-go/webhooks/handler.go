package webhooks

import (
	"context"
	"errors"
	"io"
	"net/http"
)

// bodyMax is the longest body that is read, in bytes. Events are far smaller.
const bodyMax = 2 << 20

// A State says whether an event was handled.
type State int

const (
	// New is an event that was not handled before. It is being handled from now on.
	New State = iota
	// Busy is an event that is being handled already.
	Busy
	// Handled is an event that was handled.
	Handled
)

// A Dedupe remembers which events were handled, best in the receiver's own database.
type Dedupe interface {
	// Begin tells what is known of an event, and marks a new one. Let marks expire, in case the process dies.
	Begin(ctx context.Context, eventID string) (State, error)
	// Done marks an event as handled.
	Done(ctx context.Context, eventID string) error
	// Forget makes an event new again, which was not handled.
	Forget(ctx context.Context, eventID string) error
}

// A Handler is a whole receiver. It answers 200 when the event was handled, 401 when it was not genuine, 500 when OnEvent
// failed, so that it is sent again, and 503 while the same event is being handled.
type Handler struct {
	// Secrets are the signing secret of the key, or both during a rotation.
	Secrets []string
	// OnEvent handles an event. Be quick: the service waits 12 seconds. After an error it sends the event again.
	OnEvent func(ctx context.Context, event Event) error
	// Dedupe handles a repeated delivery once; it may be nil.
	Dedupe Dedupe
	// OnError gets the reason why a callback was refused or not handled; it may be nil.
	OnError func(err error)
}

// ServeHTTP receives a callback.
func (h *Handler) ServeHTTP(response http.ResponseWriter, request *http.Request) {
	if request.Method != http.MethodPost {
		response.WriteHeader(http.StatusMethodNotAllowed)
		return
	}
	err := h.receive(request)
	if err != nil && err != errBusy && h.OnError != nil {
		h.OnError(err)
	}
	status, text := answerOf(err)
	response.Header().Set("Content-Type", "text/plain")
	response.WriteHeader(status)
	// Who hung up needs no answer.
	_, _ = io.WriteString(response, text)
}

var errBusy = errors.New("the event is being handled already")

// answerOf gives the status and the text of an answer. The failed delivery then shows what the receiver has to change.
func answerOf(err error) (int, string) {
	var rejected *RejectedError
	var tooLarge *http.MaxBytesError
	switch {
	case err == nil:
		return http.StatusOK, ""
	case err == errBusy:
		return http.StatusServiceUnavailable, ""
	case errors.As(err, &tooLarge):
		return http.StatusRequestEntityTooLarge, ""
	case errors.As(err, &rejected) && rejected.Reason != BodyAlreadyRead:
		return http.StatusUnauthorized, ""
	case rejected != nil, errors.As(err, new(secretsError)):
		return http.StatusInternalServerError, err.Error()
	default:
		return http.StatusInternalServerError, ""
	}
}

func (h *Handler) receive(request *http.Request) error {
	body, err := io.ReadAll(http.MaxBytesReader(nil, request.Body, bodyMax))
	if err != nil {
		return err
	}
	if len(body) == 0 && request.ContentLength != 0 {
		return &RejectedError{BodyAlreadyRead}
	}
	event, err := Verify(body, request.Header, h.Secrets...)
	if err != nil {
		return err
	}
	if h.Dedupe == nil {
		return h.OnEvent(request.Context(), event)
	}
	return h.handleOnce(request.Context(), event)
}

func (h *Handler) handleOnce(ctx context.Context, event Event) (err error) {
	state, err := h.Dedupe.Begin(ctx, event.ID())
	if err != nil || state == Handled {
		return err
	}
	// After a 200 it would not be sent again, even if the first handling failed.
	if state == Busy {
		return errBusy
	}
	isHandled := false
	// Also when OnEvent panics, or the service hung up.
	defer func() {
		if !isHandled {
			err = errors.Join(err, h.Dedupe.Forget(context.WithoutCancel(ctx), event.ID()))
		}
	}()
	if err := h.OnEvent(ctx, event); err != nil {
		return err
	}
	isHandled = true
	return h.Dedupe.Done(context.WithoutCancel(ctx), event.ID())
}
