package pspsandbox

import (
	"bufio"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// nowhere hides every psp executable, and returns the only directory of PATH.
func nowhere(t *testing.T) string {
	folder := t.TempDir()
	t.Setenv("PSP_BIN", "")
	t.Setenv("PATH", folder)
	before, _ := os.Getwd()
	t.Cleanup(func() { os.Chdir(before) })
	os.Chdir(folder)
	return folder
}

func program(t *testing.T, path string, content []byte) string {
	os.MkdirAll(filepath.Dir(path), 0o755)
	if err := os.WriteFile(path, content, 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

func startError(t *testing.T, flags ...string) string {
	t.Helper()
	sandbox, err := Open(flags...)
	if err == nil {
		sandbox.Close()
		t.Fatal("the sandbox started")
	}
	if _, ok := err.(*SandboxError); !ok {
		t.Fatalf("%T: %v", err, err)
	}
	return err.Error()
}

func TestNoExecutableIsAnError(t *testing.T) {
	nowhere(t)
	contains(t, startError(t), "Set PSP_BIN to its path")
}

func TestTheExecutableIsFoundInThePackageThenInPath(t *testing.T) {
	folder := nowhere(t)
	for _, want := range []string{filepath.Join(folder, "psp"), filepath.Join(folder, "node_modules/.bin/psp")} {
		program(t, want, []byte("#!/bin/sh\n"))
		found, err := findExecutable()
		equal(t, err, nil)
		equal(t, found, want)
	}
}

func TestAWrongPathInPspBinIsAnError(t *testing.T) {
	t.Setenv("PSP_BIN", filepath.Join(nowhere(t), "missing"))
	contains(t, startError(t), "missing, which is not an executable file")
}

func TestAnExecutableOfAnotherMachineIsAnError(t *testing.T) {
	folder := nowhere(t)
	foreign := "\x7fELF\x02\x01\x01" + strings.Repeat("\x00", 11) + "\xf3\x00"
	for _, content := range []string{foreign, "\xcf\xfa\xed\xfe"} {
		t.Setenv("PSP_BIN", program(t, filepath.Join(folder, "foreign"), []byte(content)))
		contains(t, startError(t), "foreign: exec format error. Set PSP_BIN to the psp executable for linux on ")
	}
}

func TestAProgramThatIsNotPspIsAnError(t *testing.T) {
	t.Setenv("PSP_BIN", program(t, filepath.Join(nowhere(t), "other"), []byte("#!/bin/sh\necho hello\nexit 3\n")))
	message := startError(t)
	contains(t, message, "The sandbox did not start (")
	contains(t, message, "hello")
}

func TestAPortInUseIsAnError(t *testing.T) {
	used, _ := url.Parse(psp.URL)
	port, _ := strconv.Atoi(used.Port())
	message := startError(t, fmt.Sprint("--port=", port))
	contains(t, message, fmt.Sprintf("exit status 9). Port %d ", port))
	contains(t, message, "is in use")
	contains(t, message, "--port")
}

func TestAWrongFlagIsAnError(t *testing.T) {
	contains(t, startError(t, "--clock=yesterday"), "exit status 2")
}

func TestASandboxThatWasKilledDuringTheTestIsAnError(t *testing.T) {
	sandbox := Start(t)
	shop := sandbox.Shop(t)
	syscall.Kill(sandbox.PID, syscall.SIGKILL)
	contains(t, failure(func(t testing.TB) {
		shop.t = t
		shop.Payments.Create(100)
	}), fmt.Sprintf("ended during the test (signal: killed). Find what ended process %d, and run the tests again.", sandbox.PID))
}

func TestARequestAfterCloseIsAnError(t *testing.T) {
	sandbox, err := Open()
	equal(t, err, nil)
	sandbox.Close()
	contains(t, sandbox.Request("GET", "/_psp/clock", nil, nil, nil).Error(), "was closed by Close(). Close it after")
}

func TestAConnectionThatAFaultCutsIsAnError(t *testing.T) {
	shop := psp.Shop(t)
	shop.Faults.Add(Fault{Target: "api", Fault: "cut", Times: 1})
	contains(t, shop.Request("POST", "/v1/public/payments", Fields{"amount": 100}, nil).Error(), "A fault of the API such as `cut`")
}

// The test starts this test program again, as the process that starts a sandbox.
func TestTheSandboxEndsWithTheProcessThatStartedIt(t *testing.T) {
	if os.Getenv("PSP_KIT_PARENT") != "" {
		fmt.Println("PID", Start(t).PID)
		select {}
	}
	parent := exec.Command(os.Args[0], "-test.run", t.Name())
	parent.Env = append(os.Environ(), "PSP_KIT_PARENT=1")
	output, _ := parent.StdoutPipe()
	if err := parent.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(output)
	for lines.Scan() && !strings.HasPrefix(lines.Text(), "PID ") {
	}
	pid := strings.TrimPrefix(lines.Text(), "PID ")
	parent.Process.Kill()
	parent.Wait()
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(20 * time.Millisecond) {
		if _, err := os.Stat("/proc/" + pid); os.IsNotExist(err) {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("the sandbox %s did not end", pid)
		}
	}
}
