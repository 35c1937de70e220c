package pspsandbox

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
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
	log     *os.File
	ended   chan struct{}
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
	args := []string{"serve", "--json", "--quiet", "--ephemeral", "--exit-with-parent", "--port", fmt.Sprint(options.Port)}
	if options.Clock != "" {
		args = append(args, "--clock", options.Clock)
	}
	for name, value := range options.Settings {
		args = append(args, "--set", name+"="+value)
	}
	s := &Sandbox{ended: make(chan struct{}), client: http.Client{Timeout: requestTimeout, Transport: &http.Transport{}}}
	if s.log, err = os.CreateTemp("", "psp-sandbox-*.log"); err != nil {
		return nil, err
	}
	os.Remove(s.log.Name())
	s.process = exec.Command(executable, append(args, options.Args...)...)
	s.process.Stderr = s.log
	output, err := s.process.StdoutPipe()
	if err == nil {
		err = s.process.Start()
	}
	if err != nil {
		s.log.Close()
		return nil, &SandboxError{fmt.Sprintf("%s cannot run on this machine: %v. Set PSP_BIN to one that can.", executable, err)}
	}
	return s, s.awaitReady(executable, output)
}

func (s *Sandbox) awaitReady(executable string, output io.Reader) error {
	timer := time.AfterFunc(startTimeout, func() { s.process.Process.Kill() })
	line, _ := bufio.NewReader(output).ReadString('\n')
	timer.Stop()
	var ready struct {
		Type string
		URL  string
		PID  int
	}
	isReady := json.Unmarshal([]byte(line), &ready) == nil && ready.Type == "ready"
	if !isReady {
		s.process.Process.Kill()
	}
	go func() {
		s.process.Wait()
		close(s.ended)
	}()
	if isReady {
		s.URL, s.PID = ready.URL, ready.PID
		return nil
	}
	<-s.ended
	message := s.lastOutput()
	if message == "" {
		message = strings.TrimSpace(line)
	}
	s.Close()
	return &SandboxError{fmt.Sprintf("The sandbox did not start (%s, %s). %s", executable, s.process.ProcessState, message)}
}

// Request sends a request and decodes the response into result, unless that is nil. The error of 4xx and 5xx is an [APIError].
func (s *Sandbox) Request(method, path string, body any, header http.Header, result any) error {
	payload, isRaw := body.([]byte)
	if !isRaw && body != nil {
		var err error
		if payload, err = json.Marshal(body); err != nil {
			return err
		}
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
		var failed struct{ Error APIError }
		failed.Error.Code, failed.Error.Message = "unknown", string(text)
		json.Unmarshal(text, &failed)
		failed.Error.Status = response.StatusCode
		return &failed.Error
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
	s.log.Close()
}

func (s *Sandbox) broken(err error) error {
	select {
	case <-s.ended:
		return &SandboxError{strings.TrimSpace(fmt.Sprintf("The sandbox at %s ended during the test (%s). %s", s.URL, s.process.ProcessState, s.lastOutput()))}
	case <-time.After(time.Second):
		return &SandboxError{fmt.Sprintf("The sandbox at %s closed the connection or did not respond: %v. "+
			"A fault of the API such as `cut` causes this; otherwise see the log of the sandbox.", s.URL, err)}
	}
}

func (s *Sandbox) lastOutput() string {
	info, err := s.log.Stat()
	if errors.Is(err, os.ErrClosed) {
		return "It was closed by Close()."
	}
	text := make([]byte, info.Size())
	s.log.ReadAt(text, 0)
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	lines = lines[max(0, len(lines)-5):]
	var failed struct {
		Error struct{ Message, Hint string }
	}
	if json.Unmarshal([]byte(lines[len(lines)-1]), &failed) == nil {
		return failed.Error.Message + " " + failed.Error.Hint
	}
	return strings.Join(lines, "\n")
}
