package pspsandbox

import (
	"os"
	"os/exec"
	"path/filepath"
)

// findExecutable returns the path in PSP_BIN. Without it, it returns the executable of node_modules or of PATH.
func findExecutable() (string, error) {
	candidates := []string{os.Getenv("PSP_BIN")}
	message := "PSP_BIN names " + candidates[0] + ", which is not an executable file. Correct the path, or unset PSP_BIN."
	if candidates[0] == "" {
		message = "No psp executable was found in PSP_BIN, node_modules or PATH. Set PSP_BIN to its path, or put psp on the PATH."
		for folder, _ := os.Getwd(); folder != filepath.Dir(folder); folder = filepath.Dir(folder) {
			candidates = append(candidates, filepath.Join(folder, "node_modules", ".bin", "psp"))
		}
		candidates = append(candidates, "psp")
	}
	for _, candidate := range candidates {
		if found, err := exec.LookPath(candidate); err == nil {
			return found, nil
		}
	}
	return "", &SandboxError{message}
}
