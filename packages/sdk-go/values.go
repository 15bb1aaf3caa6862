package runhook

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
)

// JSON is any JSON of an answer, as the service sent it. It is nil for null.
type JSON []byte

// Decode reads it into a value, as json.Unmarshal does. Null changes nothing.
func (j JSON) Decode(value any) error {
	if j == nil {
		return nil
	}
	return json.Unmarshal(j, value)
}

// String is the text of the JSON.
func (j JSON) String() string {
	if j == nil {
		return "null"
	}
	return string(j)
}

// MarshalJSON gives the JSON itself.
func (j JSON) MarshalJSON() ([]byte, error) { return []byte(j.String()), nil }

// UnmarshalJSON keeps a copy of the text.
func (j *JSON) UnmarshalJSON(text []byte) error {
	*j = nil
	if string(text) != "null" {
		*j = bytes.Clone(text)
	}
	return nil
}

// A Nullable is a field of a request that may be left out, null, or a value. The zero value is left out.
type Nullable[T any] struct {
	isGiven bool
	value   *T
}

// Value gives a field a value.
func Value[T any](value T) Nullable[T] { return Nullable[T]{true, &value} }

// Null makes a field null.
func Null[T any]() Nullable[T] { return Nullable[T]{isGiven: true} }

// IsZero tells whether the field is left out.
func (n Nullable[T]) IsZero() bool { return !n.isGiven }

// MarshalJSON gives the value, or null.
func (n Nullable[T]) MarshalJSON() ([]byte, error) { return json.Marshal(n.value) }

// Ptr gives a pointer to a value, for the fields of requests that may be left out.
func Ptr[T any](value T) *T { return &value }

// randomKey is a name that nothing else has.
func randomKey() string { return rand.Text() }
