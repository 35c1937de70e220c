package pspsandbox

import (
	"debug/elf"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

var machines = map[elf.Machine]string{elf.EM_X86_64: "amd64", elf.EM_AARCH64: "arm64"}

// findExecutable returns the path in PSP_BIN, or else the executable of node_modules, of PATH, or of npx.
func findExecutable() (string, error) {
	if named := os.Getenv("PSP_BIN"); named != "" {
		if info, err := os.Stat(named); err != nil || info.IsDir() || info.Mode()&0o111 == 0 {
			return "", &SandboxError{fmt.Sprintf("PSP_BIN names %s, which is not an executable file. Correct the path, or unset PSP_BIN.", named)}
		}
		return named, checkMachine(named)
	}
	for _, find := range []func() string{installed, onPath, ofNpx} {
		if found := find(); found != "" {
			return found, checkMachine(found)
		}
	}
	return "", &SandboxError{"No psp executable was found in PSP_BIN, node_modules, PATH or npx. " +
		"Set PSP_BIN to its path, or put psp on the PATH."}
}

// installed returns the executable of the npm package in this directory or in a parent.
func installed() string {
	folder, err := os.Getwd()
	for ; err == nil; folder = filepath.Dir(folder) {
		path := filepath.Join(folder, "node_modules", ".bin", "psp")
		if _, missing := os.Stat(path); missing == nil {
			return path
		}
		if folder == filepath.Dir(folder) {
			break
		}
	}
	return ""
}

func onPath() string {
	path, _ := exec.LookPath("psp")
	return path
}

// ofNpx makes npx print the path instead of running psp, so that psp is a child of this process and ends with it.
func ofNpx() string {
	output, _ := exec.Command("npx", "--offline", "--no", "--package=psp-sandbox", "-c", "command -v psp").Output()
	return strings.TrimSpace(string(output))
}

// checkMachine returns an error if the file is a Linux executable of another machine.
func checkMachine(path string) error {
	file, err := elf.Open(path)
	if err != nil {
		return nil
	}
	defer file.Close()
	builtFor := machines[file.Machine]
	if runtime.GOOS == "linux" && builtFor == runtime.GOARCH {
		return nil
	}
	if builtFor == "" {
		builtFor = "another machine"
	}
	return &SandboxError{fmt.Sprintf("%s is built for Linux on %s, and this machine is %s on %s. "+
		"Install the psp executable for this machine, or set PSP_BIN to it.", path, builtFor, runtime.GOOS, runtime.GOARCH)}
}
