package webhooks

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// memory is a Dedupe in memory.
type memory map[string]State

func (m memory) Begin(_ context.Context, eventID string) (State, error) {
	state := m[eventID]
	if state == New {
		m[eventID] = Busy
	}
	return state, nil
}

func (m memory) Done(_ context.Context, eventID string) error {
	m[eventID] = Handled
	return nil
}

func (m memory) Forget(_ context.Context, eventID string) error {
	delete(m, eventID)
	return nil
}

// makeCallback is a callback as the service sends it.
func makeCallback(t *testing.T, method, body string) *http.Request {
	t.Helper()
	request := httptest.NewRequest(method, "/hook", strings.NewReader(body))
	header, err := SignTest([]byte(testEvent), signingSecret)
	if err != nil {
		t.Fatal(err)
	}
	request.Header = header
	return request
}

func send(handler http.Handler, request *http.Request) (int, string) {
	response := httptest.NewRecorder()
	handler.ServeHTTP(response, request)
	return response.Code, response.Body.String()
}

func TestHandlerHandlesGenuineEvents(t *testing.T) {
	tests := map[string]struct {
		method, body    string
		status, handled int
	}{
		"a genuine event":    {"POST", testEvent, 200, 1},
		"a forged body":      {"POST", "{}", 401, 0},
		"a body without end": {"POST", strings.Repeat("x", bodyMax+1), 413, 0},
		"another method":     {"PUT", testEvent, 405, 0},
		"an empty body":      {"POST", "", 401, 0},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			handled := 0
			handler := &Handler{Secrets: []string{signingSecret}, OnEvent: func(context.Context, Event) error {
				handled++
				return nil
			}}

			status, _ := send(handler, makeCallback(t, test.method, test.body))

			if status != test.status || handled != test.handled {
				t.Fatalf("got %d after %d events", status, handled)
			}
		})
	}
}

func TestHandlerSaysWhatItsOwnerHasToChange(t *testing.T) {
	read := makeCallback(t, "POST", testEvent)
	if _, err := io.Copy(io.Discard, read.Body); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		secrets []string
		request *http.Request
		words   string
	}{
		{[]string{signingSecret}, read, "verify before a framework parses the body"},
		{nil, makeCallback(t, "POST", testEvent), "secrets must not be empty"},
		{[]string{"whsec_a b"}, makeCallback(t, "POST", testEvent), "secrets must be of visible ASCII characters"},
	}
	for _, test := range tests {
		var failure error
		handler := &Handler{Secrets: test.secrets, OnError: func(err error) { failure = err }}

		status, text := send(handler, test.request)

		if status != 500 || !strings.Contains(text, test.words) || failure == nil {
			t.Errorf("got %d %q, told %v", status, text, failure)
		}
	}
}

func TestHandlerHandlesARepeatedEventOnce(t *testing.T) {
	handled, during := 0, 0
	handler := &Handler{Secrets: []string{signingSecret}, Dedupe: memory{}}
	handler.OnEvent = func(context.Context, Event) error {
		handled++
		during, _ = send(handler, makeCallback(t, "POST", testEvent))
		return nil
	}

	first, _ := send(handler, makeCallback(t, "POST", testEvent))
	second, _ := send(handler, makeCallback(t, "POST", testEvent))

	if first != 200 || during != 503 || second != 200 || handled != 1 {
		t.Fatalf("got %d, meanwhile %d, then %d, after %d events", first, during, second, handled)
	}
}

func TestHandlerHandlesAnEventAgainThatFailed(t *testing.T) {
	failing := map[string]func(context.Context, Event) error{
		"an error": func(context.Context, Event) error { return errors.New("out of paper") },
		"a panic":  func(context.Context, Event) error { panic(http.ErrAbortHandler) },
	}
	for name, fail := range failing {
		t.Run(name, func(t *testing.T) {
			handled := memory{}
			handler := &Handler{Secrets: []string{signingSecret}, Dedupe: handled, OnEvent: fail}

			func() {
				defer func() { _ = recover() }()
				if status, _ := send(handler, makeCallback(t, "POST", testEvent)); status != 500 {
					t.Errorf("got %d", status)
				}
			}()

			if len(handled) != 0 {
				t.Fatalf("it stays marked: %v", handled)
			}
		})
	}
}
