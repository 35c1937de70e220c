package pspsandbox

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// The module of a project that uses the kit, as the README describes it.
const project = "module orders\n\ngo 1.22\n\nrequire psp.test/pspsandbox v0.1.0\n\nreplace psp.test/pspsandbox => "

func TestTheTestsOfTheReadmePass(t *testing.T) {
	kit, err := os.Getwd()
	equal(t, err, nil)
	readme, err := os.ReadFile("README.md")
	equal(t, err, nil)
	code := regexp.MustCompile("(?s)```go\n(.*?)```").FindSubmatch(readme)[1]
	folder := t.TempDir()
	for name, text := range map[string][]byte{"orders_test.go": code, "go.mod": []byte(project + kit + "\n")} {
		equal(t, os.WriteFile(filepath.Join(folder, name), text, 0o644), nil)
	}
	command := exec.Command("go", "test", "-v", ".")
	command.Dir = folder
	output, err := command.CombinedOutput()
	if err != nil || strings.Count(string(output), "--- PASS") != 3 {
		t.Fatalf("%v\n%s", err, output)
	}
}
