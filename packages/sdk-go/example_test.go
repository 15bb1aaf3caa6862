package runhook_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"time"

	"runhook"
)

var (
	ctx    context.Context
	client *runhook.Client
)

func Example() {
	// RUNHOOK_BASE_URL and RUNHOOK_API_KEY.
	client, err := runhook.New(runhook.Options{})
	if err != nil {
		log.Fatal(err)
	}
	execution, err := client.Executions.CreateAndWait(context.Background(), runhook.CreateExecution{
		AgentID: "…",
		TaskID:  "…",
		Params:  map[string]any{"url": "https://example.com"},
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(execution.Status, execution.Result)
}

func ExampleExecutions_Create() {
	created, err := client.Executions.Create(ctx, runhook.CreateExecution{
		AgentID:   "…",
		TaskID:    "…",
		Reference: "order-1234",
	}, runhook.IdempotencyKey("order-1234"))
	switch {
	case errors.Is(err, runhook.ErrorCodeInvalidParams):
		fmt.Println("the params break the schema of the task")
	case err != nil:
		log.Fatal(err)
	default:
		fmt.Println(created.ExecutionID)
	}
}

func ExampleExecutions_WaitFor() {
	execution, err := client.Executions.WaitFor(ctx, "…", runhook.UntilInput, runhook.Within(10*time.Minute))
	if err != nil {
		log.Fatal(err)
	}
	if execution.Status == runhook.ExecutionStatusAwaitingInput {
		fmt.Println(execution.InputRequest.Prompt)
	}
}

func ExampleExecutions_List() {
	query := runhook.ExecutionFilter{Status: []runhook.ExecutionStatus{runhook.ExecutionStatusRunning}}
	for execution, err := range client.Executions.List(ctx, query) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(execution.ID, execution.Reference)
	}
}

func ExampleExecutions_FollowEvents() {
	for event, err := range client.Executions.FollowEvents(ctx, "…", 0) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(event.Type, event.Status)
	}
}

func ExampleFiles_Open() {
	execution, err := client.Executions.Get(ctx, "…")
	if err != nil {
		log.Fatal(err)
	}
	for _, file := range execution.Downloads {
		download, err := client.Files.Open(ctx, file.URL)
		if err != nil {
			log.Fatal(err)
		}
		_, err = io.Copy(os.Stdout, download)
		if err = errors.Join(err, download.Close()); err != nil {
			log.Fatal(err)
		}
	}
}

func ExampleAPIError() {
	_, err := client.Executions.Get(ctx, "…")
	var refused *runhook.APIError
	if errors.As(err, &refused) {
		fmt.Println(refused.Code, refused.Details, refused.RequestID)
	}
}
