// Package runhook is a client of the Runhook integration API. It queues executions, waits for them, follows them,
// and fetches what they captured. It depends on the standard library alone.
//
//	client, err := runhook.New() // RUNHOOK_BASE_URL and RUNHOOK_API_KEY
//	execution, err := client.Executions.CreateAndWait(ctx, runhook.CreateExecution{AgentID: agent, TaskID: task})
//
// Every call takes a context, which ends it at once. Calls are retried while that may help; a create has an
// idempotency key, so that a retry never makes a second execution. Package runhook/webhooks verifies callbacks.
package runhook
