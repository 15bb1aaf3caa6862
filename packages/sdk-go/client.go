package runhook

import "context"

// New makes a client. The zero Options take the environment's RUNHOOK_BASE_URL and RUNHOOK_API_KEY.
func New(options Options) (*Client, error) {
	return clientOf(options.or(usualOptions()), systemClock{})
}

// With gives the same client with other options, for some calls. Both share their connections.
//
//	quick, err := client.With(runhook.Options{Retries: runhook.Ptr(0), Timeout: 5 * time.Second})
func (c *Client) With(options Options) (*Client, error) {
	return clientOf(options.or(c.caller.Options), c.caller.clock)
}

func clientOf(options Options, clock clock) (*Client, error) {
	caller, err := callerOf(options, clock)
	if err != nil {
		return nil, err
	}
	return newClient(caller), nil
}

// A Request is a call of what has no method here.
type Request struct {
	// Method is such as GET. A POST or PATCH is sent again only after 429, unless it has an idempotency key.
	Method string
	// Path is below /api/v1/integrations, such as /openapi.json.
	Path string
	// Query is nil, url.Values, or a struct with the names of its parameters.
	Query any
	// Body is sent as JSON, unless it is nil.
	Body any
	// IdempotencyKey makes repeating a POST harmless.
	IdempotencyKey string
}

// Request calls what has no method here, with the same key, retries and errors. The JSON of the answer is decoded into
// answer, unless that is nil; an answer without a body leaves it as it is.
func (c *Client) Request(ctx context.Context, request Request, answer any) error {
	return c.caller.send(ctx, call{
		method:         request.Method,
		path:           request.Path,
		query:          request.Query,
		body:           request.Body,
		idempotencyKey: request.IdempotencyKey,
		repeatable:     request.Method != "POST" && request.Method != "PATCH",
		mayBeEmpty:     true,
	}, answer)
}
