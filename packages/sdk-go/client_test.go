package runhook

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"syscall"
	"testing"
	"time"
)

func TestMisuseOfAnIDIsRefusedBeforeAnythingIsSent(t *testing.T) {
	server := startServer(t, answer(200, "{}"))
	client := server.client(t, Options{})
	for _, id := range []string{"", ".", ".."} {
		if _, err := client.Executions.Get(t.Context(), id); err == nil || callErrorOf(err) != nil {
			t.Errorf("%q: got %v", id, err)
		}
	}
	if len(server.received) > 0 {
		t.Error("something was sent")
	}
}

func TestAnIDCannotChangeThePath(t *testing.T) {
	server := startServer(t, answer(200, "{}"))

	if _, err := server.client(t, Options{}).Executions.Get(t.Context(), "e/1?x=%20#y{}"); err != nil {
		t.Fatal(err)
	}

	if path := server.received[0].RequestURI; path != "/api/v1/integrations/executions/e%2F1%3Fx=%2520%23y%7B%7D" {
		t.Errorf("got %s", path)
	}
}

func TestARequestDoesNotLeaveTheAPI(t *testing.T) {
	client := startServer(t, answer(200, "{}")).client(t, Options{})
	for _, path := range []string{"/../../../admin/accounts", "/..", "/%2e%2e/x", "@example.com", "", `/a\..\b`, "/a b", "/%zz"} {
		if err := client.Request(t.Context(), Request{Method: "GET", Path: path}, nil); err == nil {
			t.Errorf("%q was sent", path)
		}
	}
}

func TestAnIdempotencyKeyCannotBecomeAnotherHeader(t *testing.T) {
	client := startServer(t, answer(200, "{}")).client(t, Options{})
	for _, text := range []string{"order\r\nx-role: admin", "order\n", "\x00", "漢", "a b", strings.Repeat("x", 256)} {
		if _, err := client.Executions.Create(t.Context(), CreateExecution{}, IdempotencyKey(text)); err == nil {
			t.Errorf("%q was sent", text)
		}
	}
}

func TestValuesAreSentAsWhatTheyAre(t *testing.T) {
	server := startServer(t, answer(200, "{}"))
	client := server.client(t, Options{})
	at := time.Date(2026, 3, 7, 9, 30, 0, 0, time.FixedZone("", 7200))

	_, err := client.Executions.Create(t.Context(), CreateExecution{
		AgentID: "a-1", Params: map[string]any{"url": "<&>"}, ScheduledAt: at, Priority: Ptr(0), Metadata: struct{}{},
	})
	_, err2 := client.Executions.Reschedule(t.Context(), "e-1", RescheduleExecution{ScheduledAt: Null[time.Time](), Priority: Ptr(0)})
	_, err3 := client.Executions.ListPage(t.Context(), ExecutionFilter{From: at, Status: []ExecutionStatus{"queued", "running"}, Limit: 5})
	_, err4 := client.Deliveries.WouldReplay(t.Context(), ReplayDeliveries{Q: "x"})

	if err := errors.Join(err, err2, err3, err4); err != nil {
		t.Fatal(err)
	}
	want := []string{
		`{"agent_id":"a-1","params":{"url":"<&>"},"metadata":{},"scheduled_at":"2026-03-07T09:30:00+02:00","priority":0}`,
		`{"scheduled_at":null,"priority":0}`, "", `{"q":"x","dry_run":true}`,
	}
	if fmt.Sprint(server.bodies) != fmt.Sprint(want) {
		t.Errorf("got  %v\nwant %v", server.bodies, want)
	}
	if query := server.received[2].URL.RawQuery; query != "from=2026-03-07T09%3A30%3A00%2B02%3A00&limit=5&status=queued&status=running" {
		t.Errorf("got %s", query)
	}
}

func TestWhatHasNoJSONIsRefusedBeforeAnythingIsSent(t *testing.T) {
	server := startServer(t, answer(200, "{}"))
	client := server.client(t, Options{})

	_, err := client.Executions.Create(t.Context(), CreateExecution{Params: map[string]any{"act": func() {}}})

	if err == nil || !strings.Contains(err.Error(), "the body has no JSON") || len(server.received) > 0 {
		t.Errorf("got %v", err)
	}
}

func TestAnswersKeepWhatALaterVersionAdds(t *testing.T) {
	server := startServer(t, answer(200, `{"execution_id":"e-1","status":"of_a_later_version","result":{"pages":12345678901234567890},
		"metadata":{},"error_message":null,"scheduled_at":"2030-01-01T00:00:00.000Z","new":1}`))

	seen, err := server.client(t, Options{}).Executions.Get(t.Context(), "e-1")

	if err != nil || seen.Status.IsFinished() || seen.ErrorMessage != nil || seen.ScheduledAt.Year() != 2030 {
		t.Fatalf("got %+v, %v", seen, err)
	}
	if seen.Result.String() != `{"pages":12345678901234567890}` || seen.InputRequest != nil {
		t.Errorf("got %s", seen.Result)
	}
}

func TestErrorsAreFoundByTheirTypeAndTheirCode(t *testing.T) {
	server := startServer(t, refuse(404, "not_found"))

	_, err := server.client(t, Options{}).Executions.Get(t.Context(), "e-1")

	var refused *APIError
	var failed *CallError
	if !errors.As(err, &refused) || !errors.As(err, &failed) || refused.CallError != failed {
		t.Fatalf("got %T", err)
	}
	if !errors.Is(err, ErrorCodeNotFound) || errors.Is(err, ErrorCodeForbidden) || errors.Is(err, context.Canceled) {
		t.Errorf("got the code %s", refused.Code)
	}
	if text := fmt.Errorf("order 7: %w", err).Error(); text != "order 7: runhook: refused (request req_2)" {
		t.Errorf("got %s", text)
	}
}

func TestAContextEndsACallAtOnce(t *testing.T) {
	cancelled, cancel := context.WithCancel(t.Context())
	server := startServer(t, func(response http.ResponseWriter, request *http.Request) {
		cancel()
		<-request.Context().Done()
	})
	late, stop := context.WithTimeout(t.Context(), time.Nanosecond)
	defer stop()
	client := server.client(t, Options{})

	_, err := client.Executions.WaitFor(cancelled, "e-1")
	_, lateErr := client.Executions.Get(late, "e-1")

	if failed := callErrorOf(err); !errors.Is(err, context.Canceled) || failed == nil || failed.ExecutionID != "e-1" {
		t.Errorf("got %v", err)
	}
	var timeout *TimeoutError
	if !errors.As(lateErr, &timeout) || !errors.Is(lateErr, context.DeadlineExceeded) || !timeout.Timeout() {
		t.Errorf("got %v", lateErr)
	}
}

func TestAListStopsWhereItsReaderDoes(t *testing.T) {
	server := startServer(t, answer(200, `{"data":[{"id":"1"},{"id":"2"}],"next_cursor":"c"}`))

	for task, err := range server.client(t, Options{}).Tasks.List(t.Context(), TaskFilter{}) {
		if err != nil || task.ID != "1" {
			t.Fatal(task, err)
		}
		break
	}

	if len(server.received) != 1 {
		t.Errorf("%d pages were fetched", len(server.received))
	}
}

func TestTheKeyShowsInNothingThatIsRaisedOrLogged(t *testing.T) {
	server := startServer(t, refuse(500, "internal_error"), func(response http.ResponseWriter, request *http.Request) {
		response.WriteHeader(404)
		fmt.Fprintf(response, "no page for %s", request.Header.Get("Authorization"))
	})
	var log bytes.Buffer
	logger := slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))

	_, err := server.client(t, Options{Logger: logger}).Executions.Get(t.Context(), "e-1")

	var unexpected *UnexpectedAnswerError
	if !errors.As(err, &unexpected) || unexpected.Body != "no page for Bearer [key]" {
		t.Fatalf("got %v", err)
	}
	if text := log.String() + fmt.Sprintf("%+v %v", unexpected, err); strings.Contains(text, "hush") {
		t.Errorf("got %s", text)
	}
	if lines := strings.Count(log.String(), "\n"); lines != 2 || !strings.Contains(log.String(), "status=500 request_id=req_2") {
		t.Errorf("got the log %s", log.String())
	}
}

func TestAConnectionErrorHasItsCauseAndNotTheQuery(t *testing.T) {
	server := startServer(t)
	client := server.client(t, Options{Retries: Ptr(0)})
	server.Close()

	_, err := client.Executions.ListPage(t.Context(), ExecutionFilter{Reference: "hush"})

	var connection *ConnectionError
	if !errors.As(err, &connection) || !errors.Is(err, syscall.ECONNREFUSED) || connection.Status != 0 {
		t.Fatalf("got %v", err)
	}
	if text := fmt.Sprintf("%v", err); strings.Contains(text, "hush") || !strings.Contains(text, "connection refused") {
		t.Errorf("got %s", text)
	}
}

func TestAFileIsOpenedAtTheStorageWithoutTheKey(t *testing.T) {
	storage := startServer(t, answer(200, "a report"))
	server := startServer(t, refuse(503, "internal_error"), func(response http.ResponseWriter, request *http.Request) {
		http.Redirect(response, request, storage.URL+"/signed", http.StatusFound)
	})
	link := "https://elsewhere.example.com/api/v1/integrations/executions/e-1/files/f-1"

	download, err := server.client(t, Options{AttemptTimeout: time.Hour}).Files.Open(t.Context(), link)
	if err != nil {
		t.Fatal(err)
	}
	defer download.Close()
	bytes, err := io.ReadAll(download)

	if err != nil || string(bytes) != "a report" || download.Size != 8 || !strings.HasPrefix(download.ContentType, "text/plain") {
		t.Fatalf("got %q, %v, %+v", bytes, err, download)
	}
	if server.received[1].RequestURI != "/api/v1/integrations/executions/e-1/files/f-1" || storage.received[0].Header.Get("Authorization") != "" {
		t.Errorf("got %s, then %v", server.received[1].RequestURI, storage.received[0].Header)
	}
}

func TestNoOtherRedirectIsFollowed(t *testing.T) {
	elsewhere := startServer(t, answer(200, "{}"))
	server := startServer(t, func(response http.ResponseWriter, request *http.Request) {
		http.Redirect(response, request, elsewhere.URL, http.StatusTemporaryRedirect)
	})

	_, err := server.client(t, Options{}).Executions.Create(t.Context(), CreateExecution{})

	if failed := callErrorOf(err); failed == nil || failed.Status != 307 || len(elsewhere.received) > 0 {
		t.Errorf("got %v", err)
	}
}

func TestOnlyTheLinkOfAFileIsOpened(t *testing.T) {
	client := startServer(t, answer(200, "")).client(t, Options{})
	for _, link := range []string{"", "https://example.com/", "/api/v1/integrations/executions/e-1/files/..", "/api/v1/integrations/me"} {
		if download, err := client.Files.Open(t.Context(), link); err == nil {
			t.Errorf("%s was opened: %v", link, download)
		}
	}
}
