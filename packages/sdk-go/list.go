package runhook

import (
	"context"
	"iter"
)

// A Page is one page of a list.
type Page[Item any] struct {
	Data []Item `json:"data"`
	// NextCursor is where the next page begins; nil on the last page.
	NextCursor *string `json:"next_cursor"`
	RequestID  string  `json:"request_id"`
}

// items gives item after item of a list, whose pages are fetched as they are needed. Each reading starts from the
// beginning. An error is the last that it gives.
func items[Item any](ctx context.Context, c *caller, first call) iter.Seq2[Item, error] {
	return func(yield func(Item, error) bool) {
		for next := first; ; {
			page, err := answerTo[Page[Item]](ctx, c, next)
			if err != nil {
				var none Item
				yield(none, err)
				return
			}
			for _, item := range page.Data {
				if !yield(item, nil) {
					return
				}
			}
			if page.NextCursor == nil {
				return
			}
			next.cursor = *page.NextCursor
		}
	}
}
