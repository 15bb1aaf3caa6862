package webhooks

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"net/http"
	"regexp"
	"strconv"
	"time"
	"unicode/utf8"

	"runhook"
	"runhook/internal/secret"
)

// An Event is a callback that was verified: an *ExecutionEvent, or a *TestEvent. Types of a later version are an
// *ExecutionEvent too: look at its Type.
type Event interface {
	// ID is the same on every attempt.
	ID() string
}

// An ExecutionEvent says that an execution entered a status.
type ExecutionEvent struct{ runhook.ExecutionEvent }

// A TestEvent is a test of the receiver.
type TestEvent struct{ runhook.TestEvent }

// ID is the same on every attempt.
func (e *ExecutionEvent) ID() string { return e.EventID }

// ID is the same on every attempt.
func (e *TestEvent) ID() string { return e.EventID }

// A Reason says why a callback was rejected.
type Reason string

// Reasons of a RejectedError.
const (
	BodyAlreadyRead         Reason = "body_already_read"
	TimestampMalformed      Reason = "timestamp_malformed"
	TimestampOutOfTolerance Reason = "timestamp_out_of_tolerance"
	SignatureMalformed      Reason = "signature_malformed"
	SignatureMismatch       Reason = "signature_mismatch"
	BodyMalformed           Reason = "body_malformed"
	EventIDMismatch         Reason = "event_id_mismatch"
)

// A RejectedError is a callback that must not be trusted. Answer 401; for BodyAlreadyRead, which is the receiver's own
// fault, answer 500.
type RejectedError struct{ Reason Reason }

// Error says why.
func (e *RejectedError) Error() string {
	if e.Reason == BodyAlreadyRead {
		return "The webhook was rejected: body_already_read: verify before a framework parses the body"
	}
	return "The webhook was rejected: " + string(e.Reason)
}

// tolerance is how far a timestamp may be from this clock, either way.
const tolerance = 300

var (
	timestampForm = regexp.MustCompile(`^[1-9][0-9]{9,10}$`)
	signatureForm = regexp.MustCompile(`^[0-9a-f]{64}$`)
)

// Verify gives the event of a callback, from its body as it was received, before any parser. The error is a
// *RejectedError unless the callback is signed by one of the secrets, recent, and about the event that its header names.
// Give both secrets during a rotation.
func Verify(body []byte, header http.Header, secrets ...string) (Event, error) {
	return verifyAt(time.Now(), body, header, secrets)
}

func verifyAt(now time.Time, body []byte, header http.Header, secrets []string) (Event, error) {
	keys, err := keysOf(secrets)
	if err != nil {
		return nil, err
	}
	timestamp := header.Get("X-Webhook-Timestamp")
	if !timestampForm.MatchString(timestamp) {
		return nil, &RejectedError{TimestampMalformed}
	}
	// Its form leaves nothing to fail.
	seconds, _ := strconv.ParseInt(timestamp, 10, 64)
	if away := now.Sub(time.Unix(seconds, 0)).Abs(); away > tolerance*time.Second {
		return nil, &RejectedError{TimestampOutOfTolerance}
	}
	signature := header.Get("X-Webhook-Signature")
	if !signatureForm.MatchString(signature) {
		return nil, &RejectedError{SignatureMalformed}
	}
	// All are tried, so that the time tells nothing of which has signed.
	isSigned := false
	for _, key := range keys {
		isSigned = hmac.Equal([]byte(sign(key, body, timestamp)), []byte(signature)) || isSigned
	}
	if !isSigned {
		return nil, &RejectedError{SignatureMismatch}
	}
	event, err := eventOf(body)
	if err != nil {
		return nil, &RejectedError{BodyMalformed}
	}
	// Two missing ids are equal, but prove nothing. The header is not signed.
	if id := header.Get("X-Webhook-Event-Id"); id == "" || event.ID() != id {
		return nil, &RejectedError{EventIDMismatch}
	}
	return event, nil
}

// A secretsError is a receiver's own mistake.
type secretsError struct{ error }

func keysOf(secrets []string) ([]string, error) {
	if len(secrets) == 0 {
		return nil, secretsError{errors.New("runhook: secrets must not be empty")}
	}
	keys := make([]string, len(secrets))
	for at, text := range secrets {
		key, err := secret.Read("secrets", text)
		if err != nil {
			return nil, secretsError{err}
		}
		keys[at] = key
	}
	return keys, nil
}

// eventOf gives the object that the bytes are. It was signed by the service, whose promise its fields are.
func eventOf(body []byte) (Event, error) {
	if !utf8.Valid(body) || !bytes.HasPrefix(bytes.TrimLeft(body, " \t\r\n"), []byte("{")) {
		return nil, errors.New("the body is no JSON object")
	}
	var kind struct {
		Type string `json:"type"`
	}
	if err := json.Unmarshal(body, &kind); err != nil {
		return nil, err
	}
	if kind.Type == "webhook.test" {
		event := &TestEvent{}
		return event, json.Unmarshal(body, event)
	}
	event := &ExecutionEvent{}
	return event, json.Unmarshal(body, event)
}

// sign gives the HMAC-SHA256 over the bytes of the body and, with nothing between, the text of the timestamp.
func sign(key string, body []byte, timestamp string) string {
	mac := hmac.New(sha256.New, []byte(key))
	mac.Write(body)
	mac.Write([]byte(timestamp))
	return hex.EncodeToString(mac.Sum(nil))
}

// SignTest gives the headers of a callback as the service would send it now, for the tests of a receiver.
func SignTest(body []byte, signingSecret string) (http.Header, error) {
	return signAt(time.Now(), body, signingSecret)
}

func signAt(now time.Time, body []byte, signingSecret string) (http.Header, error) {
	keys, err := keysOf([]string{signingSecret})
	if err != nil {
		return nil, err
	}
	var event struct {
		ID string `json:"event_id"`
	}
	if err := json.Unmarshal(body, &event); err != nil {
		return nil, err
	}
	timestamp := strconv.FormatInt(now.Unix(), 10)
	header := http.Header{}
	header.Set("Content-Type", "application/json")
	header.Set("X-Webhook-Event-Id", event.ID)
	header.Set("X-Webhook-Timestamp", timestamp)
	header.Set("X-Webhook-Signature", sign(keys[0], body, timestamp))
	return header, nil
}
