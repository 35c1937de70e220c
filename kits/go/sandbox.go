// Package pspsandbox runs a psp sandbox for tests: a local payment service provider with outcomes, a clock and faults
// under control.
package pspsandbox

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"
)

const (
	startTimeout   = time.Minute
	requestTimeout = time.Minute
)

// Options of a sandbox. The zero value starts one on a free port with a real clock.
type Options struct {
	Port     int               // 0 picks a free one
	Clock    string            // real, frozen, frozen@TIME or xN
	Settings map[string]string // settings by name: {"delays.bank": "0s"}
	Args     []string          // further arguments of psp serve
}

// Sandbox is a running sandbox. It keeps everything in memory, and ends with the process that started it.
type Sandbox struct {
	URL string
	PID int

	process *exec.Cmd
	log     bytes.Buffer  // complete when ended is closed
	ended   chan struct{} // closed at the end of the process
	closed  bool
	client  http.Client
}

// Start starts a sandbox for a test, and stops it at the end of the test.
func Start(t testing.TB, options ...Options) *Sandbox {
	t.Helper()
	sandbox, err := Open(append(options, Options{})[0])
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(sandbox.Close)
	return sandbox
}

// Open starts a sandbox for the tests of a package, in TestMain. It waits until it is ready. Call Close at the end.
func Open(options Options) (*Sandbox, error) {
	executable, err := findExecutable()
	if err != nil {
		return nil, err
	}
	args := []string{"serve", "--json", "--quiet", "--ephemeral", "--exit-with-parent", fmt.Sprint("--port=", options.Port)}
	if options.Clock != "" {
		args = append(args, "--clock="+options.Clock)
	}
	for name, value := range options.Settings {
		args = append(args, "--set="+name+"="+value)
	}
	s := &Sandbox{ended: make(chan struct{}), client: http.Client{Timeout: requestTimeout, Transport: &http.Transport{}}}
	s.process = exec.Command(executable, append(args, options.Args...)...)
	s.process.Stderr = &s.log
	output, _ := s.process.StdoutPipe()
	if err := s.process.Start(); err != nil {
		return nil, &SandboxError{fmt.Sprintf("%s cannot run on this machine: %v. Set PSP_BIN to one that can.", executable, err)}
	}
	timer := time.AfterFunc(startTimeout, func() { s.process.Process.Kill() })
	line, _ := bufio.NewReader(output).ReadString('\n')
	timer.Stop()
	go func() {
		s.process.Wait()
		close(s.ended)
	}()
	var ready struct{ Type string }
	if json.Unmarshal([]byte(line), &ready) == nil && ready.Type == "ready" {
		return s, json.Unmarshal([]byte(line), s)
	}
	s.process.Process.Kill()
	<-s.ended
	message := s.lastOutput()
	if message == "" {
		message = strings.TrimSpace(line)
	}
	return nil, &SandboxError{fmt.Sprintf("The sandbox did not start (%s, %s). %s", executable, s.process.ProcessState, message)}
}

// Request sends a request and decodes the response into result, unless that is nil. The error of 4xx and 5xx is an [APIError].
func (s *Sandbox) Request(method, path string, body any, header http.Header, result any) error {
	payload, err := encode(body)
	if err != nil {
		return err
	}
	request, err := http.NewRequest(method, s.URL+path, bytes.NewReader(payload))
	if err != nil {
		return err
	}
	if header != nil {
		request.Header = header
	}
	if len(payload) > 0 {
		request.Header.Set("Content-Type", "application/json")
	}
	response, err := s.client.Do(request)
	if err != nil {
		return s.broken(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return s.broken(err)
	}
	if response.StatusCode >= 400 {
		failed := APIError{Code: "unknown", Message: string(text)}
		json.Unmarshal(text, &struct{ Error *APIError }{&failed})
		failed.Status = response.StatusCode
		return &failed
	}
	if result == nil || len(text) == 0 {
		return nil
	}
	return json.Unmarshal(text, result)
}

// Close stops the sandbox.
func (s *Sandbox) Close() {
	s.process.Process.Signal(syscall.SIGTERM)
	select {
	case <-s.ended:
	case <-time.After(10 * time.Second):
		s.process.Process.Kill()
		<-s.ended
	}
	s.client.CloseIdleConnections()
	s.closed = true
}

func (s *Sandbox) broken(err error) error {
	if s.closed {
		return &SandboxError{fmt.Sprintf("The sandbox at %s was closed by Close(). Close it after the last request.", s.URL)}
	}
	select {
	case <-s.ended:
		message := s.lastOutput()
		if message == "" {
			message = fmt.Sprintf("Find what ended process %d, and run the tests again.", s.PID)
		}
		return &SandboxError{fmt.Sprintf("The sandbox at %s ended during the test (%s). %s", s.URL, s.process.ProcessState, message)}
	case <-time.After(time.Second):
		return &SandboxError{fmt.Sprintf("The sandbox at %s closed the connection or did not respond: %v. "+
			"A fault of the API such as `cut` causes this; otherwise see the log of the sandbox.", s.URL, err)}
	}
}

// lastOutput returns the error that an ended sandbox printed, or else the last lines of its log.
func (s *Sandbox) lastOutput() string {
	lines := strings.Split(strings.TrimSpace(s.log.String()), "\n")
	lines = lines[max(0, len(lines)-5):]
	var failed struct {
		Error struct{ Message, Hint string }
	}
	if json.Unmarshal([]byte(lines[len(lines)-1]), &failed) == nil {
		return failed.Error.Message + " " + failed.Error.Hint
	}
	return strings.Join(lines, "\n")
}

// encode returns the JSON of a body. Bytes are JSON already, and nil is an empty body.
func encode(body any) ([]byte, error) {
	if fields, isFields := body.(Fields); body == nil || isFields && fields == nil {
		return nil, nil
	}
	if payload, isEncoded := body.([]byte); isEncoded {
		return payload, nil
	}
	return json.Marshal(body)
}
