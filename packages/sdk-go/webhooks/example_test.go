package webhooks_test

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"os"

	"runhook"
	"runhook/webhooks"
)

func ExampleHandler() {
	http.Handle("/callbacks", &webhooks.Handler{
		Secrets: []string{os.Getenv("RUNHOOK_SIGNING_SECRET")},
		OnEvent: func(ctx context.Context, event webhooks.Event) error {
			if event, ok := event.(*webhooks.ExecutionEvent); ok && event.Execution.Status == runhook.ExecutionStatusCompleted {
				fmt.Println(event.Reference, event.Execution.Result)
			}
			return nil
		},
		OnError: func(err error) { log.Print(err) },
	})
	log.Fatal(http.ListenAndServe(":3000", nil))
}

func ExampleVerify() {
	body := []byte(`{"event_id":"1","type":"webhook.test","message":"Hello"}`)
	header, err := webhooks.SignTest(body, "whsec_1")
	if err != nil {
		log.Fatal(err)
	}

	event, err := webhooks.Verify(body, header, "whsec_1")

	if test, ok := event.(*webhooks.TestEvent); ok {
		fmt.Println(test.Message, err)
	}
	// Output: Hello <nil>
}
