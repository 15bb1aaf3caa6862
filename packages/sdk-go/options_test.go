package runhook

import (
	"net/http"
	"strings"
	"testing"
	"time"
)

const key = "rhlive_prefix_hush"

// makeOptions are options of a client with some changed.
func makeOptions(change func(*Options)) Options {
	options := Options{BaseURL: "http://127.0.0.1:8700", APIKey: key}
	change(&options)
	return options
}

func TestOptionsComeFromTheEnvironmentWhereTheyAreNotGiven(t *testing.T) {
	t.Setenv("RUNHOOK_BASE_URL", " https://runhook.example.com/below/ ")
	t.Setenv("RUNHOOK_API_KEY", "of-the-environment")

	first, err := New(Options{})
	second, err2 := New(Options{APIKey: "\ufeff" + key + "\r\n"})

	if err != nil || err2 != nil {
		t.Fatal(err, err2)
	}
	if root := first.caller.apiRoot; root != "https://runhook.example.com/below/api/v1/integrations" {
		t.Errorf("got the root %s", root)
	}
	if first.caller.APIKey != "of-the-environment" || second.caller.APIKey != key {
		t.Errorf("got the keys %q and %q", first.caller.APIKey, second.caller.APIKey)
	}
}

func TestWrongOptionsAreNamedAndTheKeyIsNotShown(t *testing.T) {
	tests := []struct {
		change func(*Options)
		words  string
	}{
		{func(o *Options) { o.BaseURL = "ftp://localhost" }, "BaseURL must be"},
		{func(o *Options) { o.BaseURL = "127.0.0.1:8700" }, "BaseURL must be"},
		{func(o *Options) { o.BaseURL = "http://localhost/api/v1/integrations" }, "or /api/v1"},
		{func(o *Options) { o.BaseURL = "http://user:hush@localhost" }, "BaseURL must be"},
		{func(o *Options) { o.BaseURL = "http://localhost:99999" }, "BaseURL must be"},
		{func(o *Options) { o.BaseURL = "http://localhost:0" }, "BaseURL must be"},
		{func(o *Options) { o.BaseURL = "http://[::1" }, "BaseURL must be"},
		{func(o *Options) { o.BaseURL = "" }, "set RUNHOOK_BASE_URL"},
		{func(o *Options) { o.APIKey = "" }, "RUNHOOK_API_KEY"},
		{func(o *Options) { o.APIKey = " \n" }, "APIKey must not be empty"},
		{func(o *Options) { o.APIKey = "rhlive_hush\nhush" }, "APIKey must be"},
		{func(o *Options) { o.APIKey = "rhlive_hüsh" }, "APIKey must be"},
		{func(o *Options) { o.Retries = Ptr(-1) }, "Retries"},
		{func(o *Options) { o.Timeout = -time.Second }, "Timeout"},
		{func(o *Options) { o.Header = http.Header{"X-One\r\nX-Two": {"2"}} }, "the header"},
		{func(o *Options) { o.Header = http.Header{"X-One": {"1\r\nX-Two: 2"}} }, "the header"},
		{func(o *Options) { o.Header = http.Header{"X-One": {"漢"}} }, "the header"},
	}
	t.Setenv("RUNHOOK_BASE_URL", "")
	t.Setenv("RUNHOOK_API_KEY", "")
	for _, test := range tests {
		_, err := New(makeOptions(test.change))

		if err == nil || !strings.Contains(err.Error(), test.words) || strings.Contains(err.Error(), "hush") {
			t.Errorf("want %q, got %v", test.words, err)
		}
	}
}

func TestOptionsOfSomeCallsLeaveTheClientAsItIs(t *testing.T) {
	server := startServer(t, refuse(500, "internal_error"))
	client := server.client(t, Options{Retries: Ptr(0), Header: http.Header{"X-One": {"1"}}})
	other, err := client.With(Options{Header: http.Header{"x-two": {"2"}, "authorization": {"Bearer other"}}})
	if err != nil {
		t.Fatal(err)
	}

	for _, each := range []*Client{other, client} {
		if _, err := each.Executions.Get(t.Context(), "e-1"); err == nil {
			t.Fatal("it was answered")
		}
	}

	first, second := server.received[0].Header, server.received[1].Header
	if first.Get("X-One") != "1" || first.Get("X-Two") != "2" || second.Get("X-Two") != "" {
		t.Errorf("got %v, then %v", first, second)
	}
	if values := first["Authorization"]; len(values) != 1 || values[0] != "Bearer "+key {
		t.Errorf("got the authorization %v", values)
	}
}
