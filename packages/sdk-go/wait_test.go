package runhook

import (
	"fmt"
	"testing"
	"time"
)

func TestAWaitPausesShortlyAgainOnceTheServiceIsBack(t *testing.T) {
	away := refuse(503, "internal_error")
	server := startServer(t, away, away, answer(200, `{"status":"running"}`), away, answer(200, `{"status":"completed"}`))
	client := server.client(t, Options{})
	clock := &testClock{}
	client.caller.clock = clock

	if _, err := client.Executions.WaitFor(t.Context(), "e-1"); err != nil {
		t.Fatal(err)
	}

	want := []time.Duration{250 * time.Millisecond, 500 * time.Millisecond, 2 * time.Second, 250 * time.Millisecond}
	if fmt.Sprint(clock.pauses) != fmt.Sprint(want) {
		t.Errorf("got the pauses %v", clock.pauses)
	}
}

func TestAFollowEndsAtOnceForAReaderWhoHasTheLastEvent(t *testing.T) {
	server := startServer(t, answer(200, `{"data":[{"sequence":3,"type":"completed","status":"completed"}]}`))

	for event, err := range server.client(t, Options{}).Executions.FollowEvents(t.Context(), "e-1", 3) {
		t.Fatal(event, err)
	}

	if query := server.received[0].URL.RawQuery; query != "after=2&wait=25" || len(server.received) != 1 {
		t.Errorf("got %d requests, the first for %s", len(server.received), query)
	}
}

func TestABatchAnswersEachItemInItsPlace(t *testing.T) {
	server := startServer(t,
		answer(200, `{"data":[{"index":0,"status":429},{"index":1,"status":201},{"index":2,"status":503}]}`),
		answer(200, `{"data":[{"index":0,"status":201},{"index":1,"status":200}],"request_id":"req_2"}`))

	answered, err := server.client(t, Options{}).Executions.CreateBatch(t.Context(), make([]BatchItem, 3))

	if err != nil || answered.RequestID != "req_2" {
		t.Fatalf("got %+v, %v", answered, err)
	}
	for place, want := range []int64{201, 201, 200} {
		if got := answered.Data[place]; got.Index != int64(place) || got.Status != want {
			t.Errorf("got %+v at %d", got, place)
		}
	}
}
