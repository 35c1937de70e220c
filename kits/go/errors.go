package pspsandbox

import (
	"errors"
	"fmt"
)

// SandboxError reports a sandbox that could not start, ended during the test, or closed a connection.
type SandboxError struct{ Message string }

func (e *SandboxError) Error() string { return e.Message }

// APIError reports a request that the API rejected.
type APIError struct {
	Status  int `json:"-"`
	Code    string
	Message string
}

func (e *APIError) Error() string { return fmt.Sprintf("%d %s: %s", e.Status, e.Code, e.Message) }

// WaitTimeoutError reports an event that did not happen in time. The message lists the events that did.
type WaitTimeoutError struct{ Message string }

func (e *WaitTimeoutError) Error() string { return e.Message }

// ErrInvalidSignature is the cause of each error of [Verify]: the signature is missing or wrong, or its time
// differs too much from the current time.
var ErrInvalidSignature = errors.New("invalid signature")
