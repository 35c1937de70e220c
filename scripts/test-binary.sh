#!/usr/bin/env bash
# Runs the tests of the command line with the executable. If possible, psp runs in a root directory with a shell but
# without Node, and without a network. Arguments are passed to vitest. Without arguments, all files run.
set -euo pipefail
cd "$(dirname "$0")/.."
version=$(node -p 'require("./package.json").version')

# Files that do not run the executable, with the reason.
declare -A without=(
  [client-examples]="generated clients, which see only the HTTP interface"
  [compile-cache]="the compile cache of Node for the npm package"
  [copied-test]="the library of the npm package"
  [crash-recovery]="the recovery of a data directory, which the same code does. executable.test.ts reads pages after a restart"
  [data-directory]="the lock and the disk errors of a data directory, which the same code handles"
  [dashboard-budget]="the size of files that the build writes"
  [example-schemas]="example files and their schemas"
  [generated-clients]="generated clients, which see only the HTTP interface"
  [large-state]="the heap of a command, which cannot be limited in the executable"
  [listen]="connections of several processes over HTTP, which the same code makes"
  [node-versions]="how the npm package starts in each version of Node"
  [package]="the npm package"
  [schemathesis]="the HTTP interface and its document"
  [shards]="several servers behind a proxy, which sees only the HTTP interface"
  [testing-module]="the library of the npm package"
)

# Builds the image and the packages, and runs their tests and those of the executable file.
test_packages() {
  [ "${PSP_KEEP_BIN:-}" != "" ] || { node scripts/image.mjs && node scripts/packages.mjs; } || return
  npx vitest run --maxWorkers 2 test/binary
}

if [ "${PSP_IN_ROOT:-}" = "" ]; then
  export PSP_RELEASE=$PWD/release PSP_BIN=$PWD/release/psp-$version-linux-x64
  [ "${PSP_KEEP_BIN:-}" != "" ] || node scripts/binary.mjs linux-x64
  if [ $# -eq 0 ]; then
    for file in test/e2e/*.test.ts; do
      name=$(basename "$file" .test.ts)
      if [ -v "without[$name]" ]; then echo "without the executable: $name (${without[$name]})"; else set -- "$@" "$file"; fi
    done
  fi
  # Both parts need only the executable. The output of the second part follows that of the first one.
  packed=$(mktemp)
  test_packages >"$packed" 2>&1 &
  status=0
  if unshare --mount --net ip link set lo up 2>/dev/null; then
    PSP_IN_ROOT=1 unshare --mount --net "$0" "$@" || status=$?
  else
    echo "The tests of the executable run without isolation, because this user cannot create namespaces." >&2
    npx vitest run "$@" || status=$?
  fi
  wait $! || status=$?
  cat "$packed"
  rm "$packed"
  exit "$status"
fi

ip link set lo up
# This variable may name a file that the new root does not have.
unset NODE_EXTRA_CA_CERTS
root=$(mktemp -d)
mount -t tmpfs none "$root"
mkdir -p "$root"/{bin,dev,etc,proc,tmp,test-programs,"$PWD/dist","$root"}
echo "127.0.0.1 localhost" >"$root/etc/hosts"

# Copies a program with its libraries.
copy() {
  local file
  cp "$1" "$root/$2"
  ldd "$1" | grep -o '/[^ ]*' | while read -r file; do
    mkdir -p "$root$(dirname "$file")"
    [ -e "$root$file" ] || cp -L "$file" "$root$file"
  done
}
for program in sh bash sleep cat mv rm sed true echo head; do copy "$(type -P "$program")" "bin/$program"; done
copy "$PSP_BIN" psp
# Tests run programs in Node. Its path and name are ones that psp cannot guess.
copy "$(node -p process.execPath)" test-programs/js
for folder in dev proc; do mount --rbind "/$folder" "$root/$folder"; done
mount --bind "$PWD/dist" "$root$PWD/dist"

printf '#!/bin/sh\nexec chroot %s /bin/sh -c '\''cd "$0" && exec /psp "$@"'\'' "$PWD" "$@"\n' "$root" >"$root/psp-in-root"
# Programs that psp starts run psp by the same path.
printf '#!/bin/sh\nexec /psp "$@"\n' >"$root$root/psp-in-root"
chmod +x "$root/psp-in-root" "$root$root/psp-in-root"
if chroot "$root" /bin/sh -c 'command -v node'; then
  echo "The root directory contains Node." >&2
  exit 1
fi

status=0
PSP_BIN=$root/psp-in-root PSP_TEST_NODE=/test-programs/js npx vitest run "$@" || status=$?
umount -R "$root" && rmdir "$root"
exit "$status"
