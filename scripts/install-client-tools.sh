#!/usr/bin/env bash
# Installs what the tests of the OpenAPI documents and of the test kits use: Schemathesis, generators of Python, Go and
# Java clients, the packages of the kits, and the schemas of CI systems and Kubernetes. A tool whose language is not
# installed is left out, and its tests are skipped. Usage: scripts/install-client-tools.sh [FOLDER]
set -uo pipefail
cd "$(dirname "$0")/.."

tools=${1:-${PSP_CLIENT_TOOLS:-${XDG_CACHE_HOME:-$HOME/.cache}/psp-client-tools}}
clients=test/e2e/clients
mkdir -p "$tools"
failed=0

# Runs a step once for each version of the files that it depends on.
once() {
  local name=$1 step=$2 stamp
  shift 2
  stamp=$(cat "$@" "$0" | cksum)
  [ "$(cat "$tools/$name.stamp" 2>/dev/null)" = "$stamp" ] && return 0
  if "$step"; then echo "$stamp" >"$tools/$name.stamp"; else
    echo "Not installed: the tools for $name." >&2
    failed=1
  fi
}

python_tools() {
  command -v python3 >/dev/null || return
  rm -rf "$tools/python" && python3 -m venv "$tools/python" &&
    "$tools/python/bin/pip" install --quiet --disable-pip-version-check -r "$clients/python/requirements.txt"
}

go_tools() {
  command -v go >/dev/null || return
  GOBIN="$tools/go" go install github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2 &&
    (cd "$clients/go" && go mod download)
}

java_tools() {
  command -v mvn >/dev/null && command -v javac >/dev/null || return
  mvn -q -B -f "$clients/java/pom.xml" dependency:copy-dependencies -DoutputDirectory="$tools/java/lib" &&
    mvn -q -B dependency:copy -Dartifact=org.openapitools:openapi-generator-cli:7.25.0 \
      -Dmdep.stripVersion=true -DoutputDirectory="$tools/java"
}

python_kit() {
  command -v python3 >/dev/null || return
  rm -rf "$tools/kit-python" && python3 -m venv "$tools/kit-python" &&
    "$tools/kit-python/bin/pip" install --quiet --disable-pip-version-check -r kits/python/requirements.txt
}

java_kit() {
  command -v mvn >/dev/null && command -v javac >/dev/null || return
  local copy
  copy=$(mktemp -d) && cp -r kits/java/. "$copy" &&
    rm -rf "$tools/kit-java" &&
    mvn -q -B -f "$copy/pom.xml" dependency:copy-dependencies -DoutputDirectory="$tools/kit-java" &&
    mvn -q -B -f "$copy/pom.xml" install -DskipTests
  local status=$?
  rm -rf "$copy"
  return "$status"
}

schema_tools() {
  command -v python3 >/dev/null || return
  rm -rf "$tools/schemas" && python3 -m venv "$tools/schemas" &&
    "$tools/schemas/bin/pip" install --quiet --disable-pip-version-check -r test/e2e/schemas/requirements.txt
}

# The languages are installed in parallel, because most of the time is spent on the network. The steps of one language
# are not, because Maven allows one process per repository.
install_python() {
  once Python python_tools "$clients/python/requirements.txt"
  once "the Python kit" python_kit kits/python/requirements.txt
  once "the schemas of CI systems" schema_tools test/e2e/schemas/requirements.txt
}
install_go() { once Go go_tools "$clients/go/go.mod"; }
install_java() {
  once Java java_tools "$clients/java/pom.xml"
  once "the Java kit" java_kit kits/java/pom.xml
}
running=()
for language in python go java; do
  ("install_$language"; exit "$failed") &
  running+=($!)
done
for each in "${running[@]}"; do wait "$each" || failed=1; done
exit "$failed"
