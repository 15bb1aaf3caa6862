package runhook

import (
	"math"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// lookPause is the shortest time between two looks of a wait, for when the service answers at once.
const lookPause = 2 * time.Second

const (
	firstPause = 500 * time.Millisecond
	pauseMax   = 8 * time.Second
	// retryAfterMax is the longest wait that is believed; whoever was asked for a longer one looks again after it.
	retryAfterMax = time.Hour
)

// forever stands for no limit. It can be added to without an overflow.
const forever = time.Duration(math.MaxInt64 / 4)

// isWorthRetrying tells whether another attempt might succeed. Status 0 is no answer.
func isWorthRetrying(status int, repeatable bool) bool {
	// A 429 means that nothing was done. Anything else may have taken effect unseen.
	return status == http.StatusTooManyRequests ||
		repeatable && (status == 0 || status == http.StatusRequestTimeout || status >= 500)
}

// retriesAfter is how many attempts may follow the first. An unavailable service may be restarting: ten retries take
// half a minute. A fault or limit of a service that answers rarely passes soon.
func (o Options) retriesAfter(status int) int {
	if o.Retries != nil {
		return *o.Retries
	}
	if status == 0 || status > http.StatusNotImplemented {
		return 10
	}
	return 3
}

// pauseAfter is the pause after the attempt of this number, from 1: anything up to a bound that doubles, so that clients
// that failed together do not return together. What the service asked for comes first.
func pauseAfter(attempt int, retryAfter *time.Duration, clock clock) time.Duration {
	bound := min(pauseMax, firstPause<<min(attempt-1, 10))
	pause := time.Duration(clock.random() * float64(bound))
	if retryAfter != nil {
		pause += *retryAfter
	}
	return pause
}

var decimal = regexp.MustCompile(`^[0-9]+(\.[0-9]+)?$`)

// retryAfterOf reads Retry-After: seconds, or a date, which is compared with the service's own clock. It is nil where
// the header says nothing.
func retryAfterOf(header http.Header) *time.Duration {
	text := strings.TrimSpace(header.Get("Retry-After"))
	if decimal.MatchString(text) {
		// A number out of range is infinite.
		seconds, _ := strconv.ParseFloat(text, 64)
		return believed(seconds)
	}
	at, err := http.ParseTime(text)
	if err != nil {
		return nil
	}
	now, err := http.ParseTime(header.Get("Date"))
	if err != nil || at.Before(now) {
		return nil
	}
	return believed(at.Sub(now).Seconds())
}

func believed(seconds float64) *time.Duration {
	wait := time.Duration(min(max(seconds, 0), retryAfterMax.Seconds()) * float64(time.Second))
	return &wait
}
