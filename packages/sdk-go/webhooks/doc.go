// Package webhooks verifies the callbacks of Runhook, and receives them.
//
//	http.Handle("/callbacks", &webhooks.Handler{
//		Secrets: []string{os.Getenv("RUNHOOK_SIGNING_SECRET")},
//		OnEvent: func(ctx context.Context, event webhooks.Event) error { … },
//	})
package webhooks
