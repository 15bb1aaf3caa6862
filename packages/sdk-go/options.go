package runhook

import (
	"cmp"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"strings"
	"time"

	"runhook/internal/secret"
)

// Options say how a client calls the service. What is zero is as usual.
type Options struct {
	// BaseURL is where the service is, such as https://runhook.example.com; RUNHOOK_BASE_URL unless given.
	BaseURL string
	// APIKey is an integration key; RUNHOOK_API_KEY unless given. It is sent to the API and nowhere else.
	APIKey string
	// Retries are the attempts that may follow the first. Unless given, 10 after no answer, 502, 503 or 504, some half a
	// minute, so that a call survives a restart of the service; 3 after anything else that may pass.
	Retries *int
	// AttemptTimeout is the longest wait for the answer of one attempt: 30 seconds unless given. A download counts until
	// its first byte.
	AttemptTimeout time.Duration
	// Timeout is the longest time for a call with all its attempts and the pauses between: two minutes unless given.
	Timeout time.Duration
	// Header is sent with every request.
	Header http.Header
	// HTTPClient sends the requests, and sees the key; http.DefaultClient unless given. Its CheckRedirect is not used.
	HTTPClient *http.Client
	// Logger logs each attempt at level debug: method, path, status and request id, but never a header, a body or a query.
	Logger *slog.Logger
}

// or gives the options, completed by those that stand otherwise.
func (o Options) or(standing Options) Options {
	header := http.Header{}
	for _, given := range []http.Header{standing.Header, o.Header} {
		for name, values := range given {
			header[http.CanonicalHeaderKey(name)] = values
		}
	}
	return Options{
		BaseURL:        cmp.Or(o.BaseURL, standing.BaseURL),
		APIKey:         cmp.Or(o.APIKey, standing.APIKey),
		Retries:        cmp.Or(o.Retries, standing.Retries),
		AttemptTimeout: cmp.Or(o.AttemptTimeout, standing.AttemptTimeout),
		Timeout:        cmp.Or(o.Timeout, standing.Timeout),
		Header:         header,
		HTTPClient:     cmp.Or(o.HTTPClient, standing.HTTPClient),
		Logger:         cmp.Or(o.Logger, standing.Logger),
	}
}

func usualOptions() Options {
	return Options{
		BaseURL:        os.Getenv("RUNHOOK_BASE_URL"),
		APIKey:         os.Getenv("RUNHOOK_API_KEY"),
		AttemptTimeout: 30 * time.Second,
		Timeout:        2 * time.Minute,
		HTTPClient:     http.DefaultClient,
		Logger:         slog.New(slog.DiscardHandler),
	}
}

var (
	headerName  = regexp.MustCompile("^[A-Za-z0-9!#$%&'*+.^_`|~-]+$")
	headerValue = regexp.MustCompile(`^[ -~]*$`)
	apiPath     = regexp.MustCompile(`/api/v1\b`)
	portForm    = regexp.MustCompile(`^([1-9][0-9]{0,3}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5])?$`)
)

// checked gives the root of the API, and the options with the key as it is sent.
func (o Options) checked() (apiRoot string, checked Options, err error) {
	if o.BaseURL == "" || o.APIKey == "" {
		return "", o, errors.New("runhook: BaseURL or APIKey is missing: pass both, or set RUNHOOK_BASE_URL and RUNHOOK_API_KEY")
	}
	if o.APIKey, err = secret.Read("APIKey", o.APIKey); err != nil {
		return "", o, err
	}
	if o.AttemptTimeout < 0 || o.Timeout < 0 || o.Retries != nil && *o.Retries < 0 {
		return "", o, errors.New("runhook: Retries, AttemptTimeout and Timeout must not be negative")
	}
	// What net/http refuses would look like a service that cannot be reached.
	for name, values := range o.Header {
		if !headerName.MatchString(name) || !headerValue.MatchString(strings.Join(values, "")) {
			return "", o, fmt.Errorf("runhook: the header %q must be of visible ASCII characters", name)
		}
	}
	// With the API's own path every call would be of an endpoint that there is not.
	base, err := url.Parse(strings.TrimSpace(o.BaseURL))
	if err != nil || base.Scheme != "http" && base.Scheme != "https" || base.Hostname() == "" || base.User != nil ||
		!portForm.MatchString(base.Port()) || apiPath.MatchString(base.Path) {
		return "", o, errors.New("runhook: BaseURL must be an http or https URL without user info or /api/v1")
	}
	root := base.Scheme + "://" + base.Host + strings.TrimRight(base.EscapedPath(), "/")
	return root + "/api/v1/integrations", o, nil
}
