package runhook

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"time"
)

// A call is a request, with what its retries and its errors need.
type call struct {
	method string
	// path has {} in the places of ids.
	path string
	ids  []string
	// query is nil, url.Values, or a struct with the names of its parameters.
	query any
	// cursor is that of a page after the first.
	cursor         string
	body           any
	idempotencyKey string
	// repeatable tells whether it may be sent again after an attempt whose outcome is unknown.
	repeatable bool
	// wait is how long the service is asked to wait, on top of an attempt's timeout.
	wait time.Duration
	// executionID is the execution that its errors name, in case the caller does not know it.
	executionID string
	// mayBeEmpty tells whether a 204 is an answer as well. To a call with a JSON answer of its own it is somebody else's.
	mayBeEmpty bool
}

// sendable is a call as it is sent with every attempt.
type sendable struct {
	call
	url     string
	payload []byte
}

// sendable checks and encodes the call, before anything is sent.
func (c call) sendable(apiRoot string) (sendable, error) {
	path, err := c.resolvedPath()
	if err != nil {
		return sendable{}, err
	}
	if c.idempotencyKey != "" && !keyForm.MatchString(c.idempotencyKey) {
		return sendable{}, errors.New("runhook: an idempotency key must be 1 to 255 visible ASCII characters")
	}
	query, err := queryOf(c.query)
	if err != nil {
		return sendable{}, err
	}
	if c.cursor != "" {
		query.Set("cursor", c.cursor)
	}
	if len(query) > 0 {
		path += "?" + query.Encode()
	}
	payload, err := payloadOf(c.body)
	return sendable{call: c, url: apiRoot + path, payload: payload}, err
}

var (
	keyForm  = regexp.MustCompile(`^[!-~]{1,255}$`)
	pathForm = regexp.MustCompile(`^/[!-~]*$`)
)

// resolvedPath puts the ids into their places, encoded so that none of them can change the path.
func (c call) resolvedPath() (string, error) {
	path := c.path
	for _, id := range c.ids {
		if isDots(id) {
			return "", errors.New("runhook: an id must not be empty or made of dots")
		}
		path = strings.Replace(path, "{}", url.PathEscape(id), 1)
	}
	// /../.. would carry the key out of the API.
	plain, err := url.PathUnescape(path)
	if err != nil || !pathForm.MatchString(path) {
		return "", errors.New("runhook: the path must begin with / and have visible ASCII characters alone")
	}
	for _, step := range strings.FieldsFunc(plain, func(char rune) bool { return char == '/' || char == '\\' }) {
		if isDots(step) {
			return "", errors.New("runhook: the path must stay below the API's root")
		}
	}
	return path, nil
}

func isDots(step string) bool { return step == "" || step == "." || step == ".." }

// payloadOf gives the JSON of a body, or nothing for none.
func payloadOf(body any) ([]byte, error) {
	if body == nil {
		return nil, nil
	}
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(body); err != nil {
		return nil, fmt.Errorf("runhook: the body has no JSON: %w", err)
	}
	return bytes.TrimSpace(text.Bytes()), nil
}

// queryOf gives the parameters of a query: a list repeats its parameter, and what is zero is left out.
func queryOf(query any) (url.Values, error) {
	values := url.Values{}
	if given, isValues := query.(url.Values); isValues {
		for name, texts := range given {
			values[name] = append(values[name], texts...)
		}
		return values, nil
	}
	text, err := json.Marshal(query)
	if err != nil {
		return nil, fmt.Errorf("runhook: the query has no text: %w", err)
	}
	var fields map[string]any
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	if err := decoder.Decode(&fields); err != nil {
		return nil, fmt.Errorf("runhook: the query has no text: %w", err)
	}
	for name, field := range fields {
		each, isList := field.([]any)
		if !isList {
			each = []any{field}
		}
		for _, one := range each {
			values.Add(name, fmt.Sprint(one))
		}
	}
	return values, nil
}

func seconds(count int) time.Duration { return time.Duration(count) * time.Second }
