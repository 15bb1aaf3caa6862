// Code generated from the contract by `npm run generate`; DO NOT EDIT.

package runhook

// finishedStatuses are those in which nothing more happens to an execution.
var finishedStatuses = []ExecutionStatus{
	ExecutionStatusCompleted,
	ExecutionStatusCancelled,
	ExecutionStatusAborted,
	ExecutionStatusError,
}
