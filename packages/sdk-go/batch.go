package runhook

import (
	"context"
	"net/http"
	"time"
)

// pauseShare is the share of the time left that a pause may take. The rest is for the answer, since what is known
// already would be lost.
const pauseShare = 0.75

// CreateBatch queues up to 500 executions with one request, each judged and answered by itself: look at the Status of
// each answer, as that of a Create. An item without an IdempotencyKey gets one, so that a retry makes nothing twice.
// Items refused with 429 or failed with 5xx are sent again, as a Create would be, after the time that they name. What is
// still refused at the end of the retries or the time is answered as it is.
func (e *Executions) CreateBatch(ctx context.Context, items []BatchItem) (*ExecutionsCreated, error) {
	endsAt := e.caller.clock.now() + e.caller.Timeout
	keyed := make([]BatchItem, len(items))
	for place, item := range items {
		if item.IdempotencyKey == "" {
			item.IdempotencyKey = randomKey()
		}
		keyed[place] = item
	}
	answered, err := e.caller.sendItems(ctx, keyed)
	for number := 1; err == nil; number++ {
		places, pause := e.caller.refusedItems(answered.Data, number, endsAt-e.caller.clock.now())
		if len(places) == 0 {
			break
		}
		if e.caller.clock.sleep(ctx, pause) != nil {
			return nil, attempt{ctx: ctx, number: number}.ended()
		}
		refused := make([]BatchItem, len(places))
		for at, place := range places {
			refused[at] = keyed[place]
		}
		timed := *e.caller
		timed.Timeout = endsAt - timed.clock.now()
		again, later := timed.sendItems(ctx, refused)
		if later != nil {
			// After a 429 nothing was done, so the items are as they were.
			if failed := callErrorOf(later); failed != nil && failed.Status == http.StatusTooManyRequests {
				break
			}
			return nil, later
		}
		answered.RequestID = again.RequestID
		for at, place := range places[:min(len(places), len(again.Data))] {
			answered.Data[place] = again.Data[at]
			answered.Data[place].Index = int64(place)
		}
	}
	return answered, err
}

func (c *caller) sendItems(ctx context.Context, items []BatchItem) (*ExecutionsCreated, error) {
	return answerTo[ExecutionsCreated](ctx, c, call{
		method: "POST", path: "/executions/batch", body: CreateExecutions{Items: items}, repeatable: true,
	})
}

// refusedItems gives the places of the items to send again after the request of this number, and the pause before.
func (c *caller) refusedItems(data []BatchItemAnswer, number int, left time.Duration) (places []int, longest time.Duration) {
	for place, answer := range data {
		status := int(answer.Status)
		if !isWorthRetrying(status, true) || number > c.retriesAfter(status) {
			continue
		}
		pause := pauseAfter(number, answer.retryAfter(), c.clock)
		if float64(pause) > float64(left)*pauseShare {
			continue
		}
		places = append(places, place)
		longest = max(longest, pause)
	}
	return places, longest
}

func (a BatchItemAnswer) retryAfter() *time.Duration {
	var details struct {
		Seconds float64 `json:"retry_after_seconds"`
	}
	if a.Error == nil || a.Error.Details.Decode(&details) != nil {
		return nil
	}
	return believed(details.Seconds)
}
