package webhooks

import (
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"
)

const signingSecret = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="

const testEvent = `{"event_id":"0198c5a2-7e4b-7c3d-9f10-2a6b8c4d5e6f","type":"webhook.test",` +
	`"occurred_at":"2026-03-07T09:30:00.000Z","request_id":"req_1","reference":"webhook-test","metadata":{"text":"Grüße 🚀"},` +
	`"execution":null,"message":"Hello"}`

var now = time.Unix(1_772_875_800, 0)

// vectors are those that every verifier shares.
func vectors(t *testing.T, verdict string) []vector {
	t.Helper()
	text, err := os.ReadFile("../../core/test/signing/WebhookVectors.json")
	if errors.Is(err, os.ErrNotExist) {
		t.Fatal("the vectors are in the repository of the package")
	}
	var all map[string]json.RawMessage
	var found []vector
	if err := errors.Join(err, json.Unmarshal(text, &all), json.Unmarshal(all[verdict], &found)); err != nil || len(found) == 0 {
		t.Fatal("there are no vectors", err)
	}
	return found
}

type vector struct {
	Name      string
	Secrets   []string
	EventID   string `json:"event_id"`
	Timestamp string
	Body      string
	Signature string `json:"x_webhook_signature"`
	Reason    Reason
}

func (v vector) header() http.Header {
	header := http.Header{}
	header.Set("x-webhook-event-id", v.EventID)
	header.Set("X-WEBHOOK-TIMESTAMP", v.Timestamp)
	header.Set("X-Webhook-Signature", v.Signature)
	return header
}

func reasonOf(t *testing.T, err error) Reason {
	t.Helper()
	var rejected *RejectedError
	if !errors.As(err, &rejected) {
		t.Fatalf("it was not rejected: %v", err)
	}
	return rejected.Reason
}

func TestAcceptsWhatEveryVerifierMust(t *testing.T) {
	for _, vector := range vectors(t, "accepted") {
		t.Run(vector.Name, func(t *testing.T) {
			var seconds int64
			if err := json.Unmarshal([]byte(vector.Timestamp), &seconds); err != nil {
				t.Fatal(err)
			}

			event, err := verifyAt(time.Unix(seconds, 0), []byte(vector.Body), vector.header(), vector.Secrets)

			if err != nil || event.ID() != vector.EventID {
				t.Fatalf("got %v, %v", event, err)
			}
		})
	}
}

func TestRejectsWhatEveryVerifierMust(t *testing.T) {
	for _, vector := range vectors(t, "rejected") {
		t.Run(vector.Name, func(t *testing.T) {
			_, err := verifyAt(now, []byte(vector.Body), vector.header(), vector.Secrets)

			if got := reasonOf(t, err); got != vector.Reason {
				t.Fatalf("got %s, want %s", got, vector.Reason)
			}
		})
	}
}

func TestBelievesAClockThatIsFiveMinutesOffAndNoFurther(t *testing.T) {
	header, err := signAt(now, []byte(testEvent), signingSecret)
	if err != nil {
		t.Fatal(err)
	}
	for _, offset := range []time.Duration{-300 * time.Second, 300 * time.Second} {
		_, err := verifyAt(now.Add(offset), []byte(testEvent), header, []string{signingSecret})
		_, late := verifyAt(now.Add(offset+offset/300), []byte(testEvent), header, []string{signingSecret})

		if err != nil || reasonOf(t, late) != TimestampOutOfTolerance {
			t.Fatalf("at %s: %v, then %v", offset, err, late)
		}
	}
}

func TestTellsEventsApartByTheirType(t *testing.T) {
	executionEvent := `{"event_id":"e-1","type":"execution.of_a_later_version","execution":{"id":"x-1","status":"error"}}`
	for _, body := range []string{testEvent, executionEvent} {
		header, err := SignTest([]byte(body), signingSecret)
		if err != nil {
			t.Fatal(err)
		}

		event, err := Verify([]byte(body), header, "whsec_the_next", signingSecret)

		switch event := event.(type) {
		case *TestEvent:
			if body != testEvent || event.Message != "Hello" {
				t.Fatalf("got %+v", event)
			}
		case *ExecutionEvent:
			if body != executionEvent || event.Execution.Status != "error" {
				t.Fatalf("got %+v", event)
			}
		default:
			t.Fatal(err)
		}
	}
}

func TestRejectsSignedBodiesThatAreNoEvents(t *testing.T) {
	for _, body := range []string{"\xff", `{"event_id":"\xff"}`, "[]", "null", "", `{"event_id":7}`, `{"event_id":"e-1"} {}`} {
		header := http.Header{}
		header.Set("X-Webhook-Event-Id", "e-1")
		header.Set("X-Webhook-Timestamp", "1772875800")
		header.Set("X-Webhook-Signature", sign(signingSecret, []byte(body), "1772875800"))

		_, err := verifyAt(now, []byte(body), header, []string{signingSecret})

		if got := reasonOf(t, err); got != BodyMalformed {
			t.Errorf("%q: got %s", body, got)
		}
	}
}

func TestTakesASecretAsFilesHaveIt(t *testing.T) {
	for _, given := range []string{signingSecret + "\n", signingSecret + "\r\n", "\ufeff" + signingSecret, "  " + signingSecret + "\t"} {
		header, err := SignTest([]byte(testEvent), given)
		if err != nil {
			t.Fatal(err)
		}

		if _, err := Verify([]byte(testEvent), header, "whsec_the_next\n", given); err != nil {
			t.Errorf("%q: %v", given, err)
		}
	}
}

func TestRefusesSecretsThatAreNoneWithoutShowingThem(t *testing.T) {
	tests := map[string][]string{
		"must not be empty":                  {},
		"secrets must not be empty":          {"whsec_a", " \n"},
		"must be of visible ASCII character": {signingSecret, "whsec_hush hush"},
	}
	for words, secrets := range tests {
		_, err := Verify([]byte(testEvent), http.Header{}, secrets...)

		if err == nil || !strings.Contains(err.Error(), words) || strings.Contains(err.Error(), "hush") {
			t.Errorf("%q: got %v", secrets, err)
		}
	}
}
