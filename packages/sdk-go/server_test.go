package runhook

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
)

// server answers as a test says, one request after the other; what is too many as the last.
type server struct {
	*httptest.Server
	received []*http.Request
	bodies   []string
}

func startServer(t *testing.T, answers ...http.HandlerFunc) *server {
	t.Helper()
	s := &server{}
	s.Server = httptest.NewServer(http.HandlerFunc(func(response http.ResponseWriter, request *http.Request) {
		body, err := io.ReadAll(request.Body)
		if err != nil {
			t.Error(err)
		}
		s.received, s.bodies = append(s.received, request), append(s.bodies, string(body))
		answers[min(len(s.received), len(answers))-1](response, request)
	}))
	t.Cleanup(s.Close)
	return s
}

func (s *server) client(t *testing.T, options Options) *Client {
	t.Helper()
	options.BaseURL, options.APIKey = s.URL, key
	client, err := New(options)
	if err != nil {
		t.Fatal(err)
	}
	client.caller.clock = &testClock{}
	return client
}

func answer(status int, body string) http.HandlerFunc {
	return func(response http.ResponseWriter, _ *http.Request) {
		response.Header().Set("X-Request-Id", "req_1")
		response.WriteHeader(status)
		_, _ = io.WriteString(response, body)
	}
}

func refuse(status int, code string) http.HandlerFunc {
	return answer(status, fmt.Sprintf(`{"error":{"code":%q,"message":"refused","details":{"why":1},"request_id":"req_2"}}`, code))
}
