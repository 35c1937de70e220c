"""Finds the psp executable, and checks that this machine can run it."""

import os
import platform
import shutil
import subprocess
import sys
from pathlib import Path

from .errors import SandboxError

INSTALLED = Path(__file__).parent / "bin" / "psp"
NPX = ["npx", "--offline", "--no", "--package=psp-sandbox", "-c", "command -v psp"]
MACHINES = {0x3E: ["x86_64", "amd64"], 0xB7: ["aarch64", "arm64"]}


def find_executable() -> str:
    """Returns the path in `PSP_BIN`, or else the executable of the package, `node_modules`, `PATH`, or `npx`."""
    named = os.environ.get("PSP_BIN")
    if named and (not os.path.isfile(named) or not os.access(named, os.X_OK)):
        raise SandboxError(
            f"PSP_BIN names {named}, which is not an executable file. Correct the path, or unset PSP_BIN."
        )
    folders = [Path.cwd(), *Path.cwd().parents]
    installed = [INSTALLED, *(folder / "node_modules" / ".bin" / "psp" for folder in folders)]
    found = named or next((str(path) for path in installed if path.exists()), None) or shutil.which("psp") or _of_npx()
    if not found:
        raise SandboxError(
            "No psp executable was found in PSP_BIN, the package, node_modules, PATH or npx. "
            "Set PSP_BIN to its path, or put psp on the PATH."
        )
    return _checked(found)


def main() -> None:
    """Runs psp with the arguments of this process: the command `psp` of a package with the executable."""
    if not INSTALLED.exists():
        sys.exit("This package contains no psp executable. Install the wheel for this machine, or use psp from npm.")
    os.execv(INSTALLED, [str(INSTALLED), *sys.argv[1:]])


def _of_npx() -> str | None:
    # npx prints the path instead of running psp, so that psp is a child of this process and ends with it.
    if shutil.which("npx") is None:
        return None
    return subprocess.run(NPX, capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=30).stdout.strip()


def _checked(path: str) -> str:
    """Returns the path, or raises an error if it is a Linux executable of another machine."""
    with open(path, "rb") as file:
        head = file.read(20)
    built_for = MACHINES.get(int.from_bytes(head[18:20], "little"), ["another machine"])
    machine = platform.machine().lower()
    if head[:4] == b"\x7fELF" and (sys.platform != "linux" or machine not in built_for):
        raise SandboxError(
            f"{path} is built for Linux on {built_for[0]}, and this machine is {sys.platform} on {machine}. "
            "Install the psp executable for this machine, or set PSP_BIN to it."
        )
    return path
