"""Bad input gets one clear error."""

import os
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest

from psp_sandbox import Sandbox, SandboxError
from psp_sandbox import executable


@pytest.fixture
def nowhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """No executable can be found."""
    monkeypatch.delenv("PSP_BIN", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(executable, "INSTALLED", tmp_path / "missing")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def program(path: Path, content: bytes) -> str:
    path.write_bytes(content)
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return str(path)


def test_no_executable_is_an_error(nowhere: Path) -> None:
    with pytest.raises(SandboxError, match="No psp executable was found .* Set PSP_BIN"):
        Sandbox()


def test_the_package_comes_before_node_modules_and_the_path(nowhere: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    on_path = program(nowhere / "psp", b"#!/bin/sh\n")
    assert executable.find_executable() == on_path
    (nowhere / "node_modules" / ".bin").mkdir(parents=True)
    (nowhere / "tests").mkdir()
    of_npm = program(nowhere / "node_modules" / ".bin" / "psp", b"#!/bin/sh\n")
    monkeypatch.chdir(nowhere / "tests")
    assert executable.find_executable() == of_npm
    installed = program(nowhere / "installed", b"#!/bin/sh\n")
    monkeypatch.setattr(executable, "INSTALLED", Path(installed))
    assert executable.find_executable() == installed


def test_a_wrong_path_in_psp_bin_is_an_error(nowhere: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PSP_BIN", str(nowhere / "missing"))
    with pytest.raises(SandboxError, match="PSP_BIN names .*missing, which is not an executable file"):
        Sandbox()


def test_an_executable_of_another_machine_is_an_error(nowhere: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    foreign = b"\x7fELF\x02\x01\x01" + bytes(11) + b"\xf3\x00"
    for content in (foreign, b"\xcf\xfa\xed\xfe"):
        monkeypatch.setenv("PSP_BIN", program(nowhere / "foreign", content))
        with pytest.raises(SandboxError, match="cannot run on this machine: Exec format error. Set PSP_BIN to the psp executable for"):
            Sandbox()


def test_a_program_that_is_not_psp_is_an_error(nowhere: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PSP_BIN", program(nowhere / "other", b"#!/bin/sh\necho hello\nexit 3\n"))
    with pytest.raises(SandboxError, match=r"did not start \(.*other, (exit code 3|signal 9)\). hello"):
        Sandbox()


def test_a_port_in_use_is_an_error(psp: Sandbox) -> None:
    port = int(psp.url.rsplit(":", 1)[1])
    with pytest.raises(SandboxError, match=rf"exit code 9\). Port {port} .*is in use.*--port"):
        Sandbox(f"--port={port}")


def test_a_wrong_flag_is_an_error() -> None:
    with pytest.raises(SandboxError, match="exit code 2"):
        Sandbox("--clock=yesterday")


def test_a_sandbox_that_was_killed_during_the_test_is_an_error() -> None:
    with Sandbox() as sandbox:
        shop = sandbox.shop()
        os.kill(sandbox.pid, signal.SIGKILL)
        with pytest.raises(SandboxError, match=rf"ended during the test \(signal 9\)\. Find what ended process {sandbox.pid}, and run the tests again\."):
            shop.payments.create(100)


def test_the_report_of_an_error_shows_no_code_of_the_kit(tmp_path: Path) -> None:
    (tmp_path / "test_shop.py").write_text("def test_shop(psp_shop):\n    psp_shop.payments.get('missing')\n")
    ran = subprocess.run([sys.executable, "-m", "pytest", "-q"], cwd=tmp_path, capture_output=True, text=True)
    assert "ApiError: 4" in ran.stdout
    assert "raise ApiError" not in ran.stdout


def test_a_request_after_close_is_an_error() -> None:
    with Sandbox() as sandbox:
        pass
    with pytest.raises(SandboxError, match=r"was closed by close\(\)"):
        sandbox.shop()


def test_a_connection_that_a_fault_cuts_is_an_error(psp: Sandbox) -> None:
    shop = psp.shop()
    shop.faults.add("api", "cut", times=1)
    with pytest.raises(SandboxError, match="A fault of the API such as `cut` causes this"):
        shop.payments.create(100)


def test_the_sandbox_ends_with_the_process_that_started_it() -> None:
    code = "from psp_sandbox import Sandbox; s = Sandbox(); print(s.pid, flush=True); input()"
    parent = subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert parent.stdout is not None
    pid = int(parent.stdout.readline())
    parent.kill()
    parent.communicate()
    deadline = time.monotonic() + 60
    while Path(f"/proc/{pid}").exists():
        assert time.monotonic() < deadline
        time.sleep(0.02)
