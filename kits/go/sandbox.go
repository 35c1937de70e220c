// Package pspsandbox runs a psp sandbox for tests: a local payment service provider whose outcomes, clock and faults a
// test controls.
package pspsandbox

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os/exec"
	"runtime"
	"strings"
	"testing"
	"time"
)

const timeLimit = time.Minute // for the start of a sandbox, and for a response

var serve = []string{"serve", "--json", "--quiet", "--ephemeral", "--exit-with-parent", "--port=0", "--clock=real"}

// Sandbox is a running sandbox. It keeps all data in memory, and ends with the process that started it.
type Sandbox struct {
	URL string
	PID int

	process *exec.Cmd
	log     bytes.Buffer  // complete once ended is closed
	ended   chan struct{} // closed at the end of the process
	closed  bool
}

// Start starts a sandbox for a test, and stops it at the end of the test. The flags are those of [Open].
func Start(t testing.TB, flags ...string) *Sandbox {
	t.Helper()
	sandbox, err := Open(flags...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(sandbox.Close)
	return sandbox
}

// Open starts a sandbox for the tests of a package, in TestMain, and waits until it is ready. Call Close at the end.
// The flags are those of psp serve, such as --clock=frozen and --set=delays.bank=0s.
func Open(flags ...string) (*Sandbox, error) {
	executable, err := findExecutable()
	if err != nil {
		return nil, err
	}
	s := &Sandbox{process: exec.Command(executable, append(serve, flags...)...), ended: make(chan struct{})}
	s.process.Stderr = &s.log
	output, _ := s.process.StdoutPipe()
	if err := s.process.Start(); err != nil {
		return nil, &SandboxError{fmt.Sprintf("%s cannot run on this machine: %v. Set PSP_BIN to the psp executable for %s on %s.",
			executable, err, runtime.GOOS, runtime.GOARCH)}
	}
	defer time.AfterFunc(timeLimit, func() { s.process.Process.Kill() }).Stop()
	line, _ := bufio.NewReader(output).ReadString('\n')
	go func() {
		s.process.Wait()
		close(s.ended)
	}()
	var ready struct{ Type string }
	if json.Unmarshal([]byte(line), &ready) == nil && ready.Type == "ready" {
		return s, json.Unmarshal([]byte(line), s)
	}
	ending := cmp.Or(s.ending(), "no ready line")
	s.Close()
	return nil, &SandboxError{fmt.Sprintf("The sandbox did not start (%s, %s). %s", executable, ending, cmp.Or(s.lastOutput(), strings.TrimSpace(line)))}
}

// Request sends a request and decodes the response into result. For 4xx and 5xx it returns an [APIError].
// The default timeout is one minute.
func (s *Sandbox) Request(method, path string, body any, header http.Header, result any, timeout ...time.Duration) error {
	payload, err := encode(body)
	request, invalid := http.NewRequest(method, s.URL+path, bytes.NewReader(payload))
	if err = cmp.Or(err, invalid); err != nil {
		return err
	}
	maps.Copy(request.Header, header)
	request.Header.Set("Content-Type", "application/json")
	client := http.Client{Timeout: append(timeout, timeLimit)[0], Transport: &http.Transport{DisableKeepAlives: true}}
	response, err := client.Do(request)
	if err != nil {
		return s.broken(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return s.broken(err)
	}
	if response.StatusCode >= 400 {
		failed := &APIError{response.StatusCode, "unknown", string(text)}
		json.Unmarshal(text, &struct{ Error *APIError }{failed})
		return failed
	}
	if result == nil || len(text) == 0 {
		return nil
	}
	return json.Unmarshal(text, result)
}

// Close stops the sandbox.
func (s *Sandbox) Close() {
	s.closed = true
	s.process.Process.Kill()
	<-s.ended
}

func (s *Sandbox) broken(err error) error {
	if s.closed {
		return &SandboxError{fmt.Sprintf("The sandbox at %s was closed by Close(). Close it after the last request.", s.URL)}
	}
	if ending := s.ending(); ending != "" {
		message := cmp.Or(s.lastOutput(), fmt.Sprintf("Find what ended process %d, and run the tests again.", s.PID))
		return &SandboxError{fmt.Sprintf("The sandbox at %s ended during the test (%s). %s", s.URL, ending, message)}
	}
	return &SandboxError{fmt.Sprintf("The sandbox at %s closed the connection or did not respond: %v. "+
		"A fault of the API such as `cut` causes this; otherwise see the log of the sandbox.", s.URL, err)}
}

// ending returns how the process ended, or nothing if it still runs after a second.
func (s *Sandbox) ending() string {
	select {
	case <-s.ended:
		return s.process.ProcessState.String()
	case <-time.After(time.Second):
		return ""
	}
}

// lastOutput returns the error that an ended sandbox printed. Without one, it returns the last lines of its log.
func (s *Sandbox) lastOutput() string {
	lines := strings.Split(strings.TrimSpace(s.log.String()), "\n")
	var failed map[string]struct{ Message, Hint string }
	if json.Unmarshal([]byte(lines[len(lines)-1]), &failed); failed["error"].Message != "" {
		return failed["error"].Message + " " + failed["error"].Hint
	}
	return strings.Join(lines[max(0, len(lines)-5):], "\n")
}

// encode returns the JSON of a body, or nothing for nil.
func encode(body any) ([]byte, error) {
	payload, err := json.Marshal(body)
	return bytes.TrimPrefix(payload, []byte("null")), err
}
