package runhook

import (
	"context"
	"math/rand/v2"
	"time"
)

// A clock is the time and chance of calls.
type clock interface {
	// now is the time since an arbitrary moment; monotonic.
	now() time.Duration
	// random is a number from 0 to 1, without 1.
	random() float64
	// sleep ends early with the context, and then gives its error.
	sleep(ctx context.Context, pause time.Duration) error
}

type systemClock struct{}

var start = time.Now()

func (systemClock) now() time.Duration { return time.Since(start) }

func (systemClock) random() float64 { return rand.Float64() }

func (systemClock) sleep(ctx context.Context, pause time.Duration) error {
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
