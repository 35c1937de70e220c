"""Packs the Python kit with the executable as a wheel: wheel.py KIT EXECUTABLE OUT LICENCE... Prints the path of the wheel."""

import base64
import hashlib
import sys
import tomllib
import zipfile
from pathlib import Path

TAG = "py3-none-manylinux_2_28_x86_64"

kit, executable, out, *licences = map(Path, sys.argv[1:])
project = tomllib.loads((kit / "pyproject.toml").read_text())["project"]
version = project["version"]
info = f"psp_sandbox-{version}.dist-info"

METADATA = f"""Metadata-Version: 2.1
Name: {project["name"]}
Version: {version}
Summary: {project["description"]}
License: {project["license"]["text"]}
Requires-Python: {project["requires-python"]}
Description-Content-Type: text/markdown

{(kit / "README.md").read_text()}"""

WHEEL = f"Wheel-Version: 1.0\nGenerator: psp-sandbox\nRoot-Is-Purelib: false\nTag: {TAG}\n"

ENTRY_POINTS = "[console_scripts]\npsp = psp_sandbox.executable:main\n\n" + "\n".join(
    f"[{group}]\n" + "".join(f"{name} = {target}\n" for name, target in entries.items())
    for group, entries in project["entry-points"].items()
)

files = {
    f"psp_sandbox/{path.name}": path.read_bytes()
    for path in sorted((kit / "psp_sandbox").iterdir())
    if path.suffix == ".py" or path.name == "py.typed"
}
files["psp_sandbox/bin/psp"] = executable.read_bytes()
files |= {f"{info}/licenses/{path.name}": path.read_bytes() for path in licences}
files |= {f"{info}/METADATA": METADATA.encode(), f"{info}/WHEEL": WHEEL.encode()}
files[f"{info}/entry_points.txt"] = ENTRY_POINTS.encode()


def record_line(name: str, data: bytes) -> str:
    digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
    return f"{name},sha256={digest},{len(data)}\n"


record = "".join(record_line(name, data) for name, data in files.items()) + f"{info}/RECORD,,\n"
files[f"{info}/RECORD"] = record.encode()

wheel = out / f"psp_sandbox-{version}-{TAG}.whl"
with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as archive:
    for name, data in files.items():
        entry = zipfile.ZipInfo(name)
        # A regular file. Only psp is executable.
        entry.external_attr = (0o100755 if name.endswith("/bin/psp") else 0o100644) << 16
        entry.compress_type = zipfile.ZIP_DEFLATED
        archive.writestr(entry, data)
print(wheel)
