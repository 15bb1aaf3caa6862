package runhook

import (
	"context"
	"errors"
	"io"
	"net/http"
	"regexp"
)

// A Download is an open file. Close it.
type Download struct {
	io.ReadCloser
	// ContentType is the media type of the file; empty if nothing says it.
	ContentType string
	// Size is the number of bytes; -1 if nothing says it.
	Size int64
}

// Open opens the file of a link, as executions show it in URL. The key is sent to the service alone, never to the storage
// that it refers to. Time limits hold until the first byte, and what breaks off after it is not retried; the context
// holds until the file is closed.
//
//	download, err := client.Files.Open(ctx, execution.Downloads[0].URL)
func (f *Files) Open(ctx context.Context, link string) (download *Download, err error) {
	found := filePath.FindStringSubmatch(link)
	if found == nil {
		return nil, errors.New("runhook: the link must be that of a file, as executions show it")
	}
	look := call{method: "GET", path: found[1], repeatable: true}
	err = f.caller.retried(ctx, look, func(a attempt) (err error) {
		download, err = a.open()
		return err
	})
	return download, err
}

// filePath finds the path of a file below the API, independent of the service's own base URL.
var filePath = regexp.MustCompile(`/api/v1/integrations(/executions/[^/?#]+/files/[^/?#]+)$`)

// open follows the redirect to the storage.
func (a attempt) open() (*Download, error) {
	timed, lift, stop := limited(a.ctx, a.limit)
	response, err := a.exchange(timed)
	if err == nil && response.StatusCode == http.StatusFound && response.Header.Get("Location") != "" {
		response, err = a.behind(timed, response)
	}
	if err == nil && isSuccess(response) && lift() {
		body := closing{response.Body, stop}
		return &Download{body, response.Header.Get("Content-Type"), response.ContentLength}, nil
	}
	defer stop()
	if err := a.read(timed, response, err, nil); err != nil {
		return nil, err
	}
	// All of it came, and yet too late.
	return nil, a.unanswered(timed, errLate)
}

// behind asks the storage that an answer refers to, without the key.
func (a attempt) behind(timed context.Context, response *http.Response) (*http.Response, error) {
	response.Body.Close()
	location, err := response.Location()
	if err != nil {
		return nil, err
	}
	request, err := http.NewRequestWithContext(timed, http.MethodGet, location.String(), nil)
	if err != nil {
		return nil, err
	}
	request.Header.Set("User-Agent", userAgent)
	return a.http.Do(request)
}

// A closing body ends its context.
type closing struct {
	io.ReadCloser
	stop func()
}

func (c closing) Close() error {
	defer c.stop()
	return c.ReadCloser.Close()
}
