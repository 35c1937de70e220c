"""Finds the psp executable."""

import os
import shutil
import sys
from pathlib import Path

from .errors import SandboxError

INSTALLED = Path(__file__).parent / "bin" / "psp"


def find_executable() -> str:
    """Returns the path in `PSP_BIN`. Without it, returns the executable of the package, of `node_modules` or of `PATH`."""
    named = os.environ.get("PSP_BIN")
    if named and not (os.path.isfile(named) and os.access(named, os.X_OK)):
        raise SandboxError(
            f"PSP_BIN names {named}, which is not an executable file. Correct the path, or unset PSP_BIN."
        )
    folders = [Path.cwd(), *Path.cwd().parents]
    package = [INSTALLED, *(folder / "node_modules" / ".bin" / "psp" for folder in folders)]
    found = named or next((str(path) for path in package if path.exists()), None) or shutil.which("psp")
    if not found:
        raise SandboxError(
            "No psp executable was found in PSP_BIN, the package, node_modules or PATH. "
            "Set PSP_BIN to its path, or put psp on the PATH."
        )
    return found


def main() -> None:
    """Implements the command `psp` of a package with the executable: runs it with the arguments of this process."""
    if not INSTALLED.exists():
        sys.exit("This package contains no psp executable. Install the wheel for this machine, or use psp from npm.")
    os.execv(INSTALLED, [str(INSTALLED), *sys.argv[1:]])
