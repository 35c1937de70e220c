package pspsandbox

import (
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

var (
	npx      = []string{"--offline", "--no", "--package=psp-sandbox", "-c", "command -v psp"}
	machines = map[uint16]string{0x3e: "amd64", 0xb7: "arm64"}
)

// findExecutable returns the path in PSP_BIN, or else the executable of node_modules, of PATH, or of npx.
func findExecutable() (string, error) {
	named := os.Getenv("PSP_BIN")
	if named != "" && !isExecutable(named) {
		return "", &SandboxError{fmt.Sprintf("PSP_BIN names %s, which is not an executable file. Correct the path, or unset PSP_BIN.", named)}
	}
	found := named
	for folder, _ := os.Getwd(); found == "" && folder != filepath.Dir(folder); folder = filepath.Dir(folder) {
		if path := filepath.Join(folder, "node_modules", ".bin", "psp"); isExecutable(path) {
			found = path
		}
	}
	if found == "" {
		found, _ = exec.LookPath("psp")
	}
	if found == "" {
		// npx prints the path instead of running psp, so that psp is a child of this process and ends with it.
		output, _ := exec.Command("npx", npx...).Output()
		found = strings.TrimSpace(string(output))
	}
	if found == "" {
		return "", &SandboxError{"No psp executable was found in PSP_BIN, node_modules, PATH or npx. " +
			"Set PSP_BIN to its path, or put psp on the PATH."}
	}
	return found, checkMachine(found)
}

func isExecutable(path string) bool {
	info, err := os.Stat(path)
	return err == nil && !info.IsDir() && info.Mode()&0o111 != 0
}

// checkMachine returns an error if the file is a Linux executable of another machine.
func checkMachine(path string) error {
	file, err := os.Open(path)
	if err != nil {
		return &SandboxError{fmt.Sprintf("%v. Set PSP_BIN to another file.", err)}
	}
	defer file.Close()
	head := make([]byte, 20)
	io.ReadFull(file, head)
	builtFor, known := machines[binary.LittleEndian.Uint16(head[18:])]
	if !known {
		builtFor = "another machine"
	}
	if string(head[:4]) != "\x7fELF" || runtime.GOOS == "linux" && builtFor == runtime.GOARCH {
		return nil
	}
	return &SandboxError{fmt.Sprintf("%s is built for Linux on %s, and this machine is %s on %s. "+
		"Install the psp executable for this machine, or set PSP_BIN to it.", path, builtFor, runtime.GOOS, runtime.GOARCH)}
}
