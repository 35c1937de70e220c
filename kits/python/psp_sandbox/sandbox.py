"""Starts a sandbox as a child process, and sends requests to it."""

from __future__ import annotations

import http.client
import json
import subprocess
import tempfile
import threading
from types import TracebackType
from typing import Any, Mapping, Sequence

from .errors import ApiError, SandboxError
from .executable import find_executable
from .shop import Shop

START_TIMEOUT = 60
REQUEST_TIMEOUT = 60


class Sandbox:
    """A running sandbox. It keeps everything in memory, and ends with the process that started it."""

    def __init__(
        self, *, port: int = 0, clock: str = "real", settings: Mapping[str, str] = {}, args: Sequence[str] = ()
    ) -> None:
        """Starts the sandbox and waits until it is ready.

        port: 0 picks a free one.
        clock: `real`, `frozen`, `frozen@TIME` or `xN`.
        settings: settings by name, `{"delays.bank": "0s"}`.
        args: further arguments of `psp serve`.
        """
        self._log = tempfile.TemporaryFile()
        executable = find_executable()
        words = [
            executable,
            "serve",
            "--json",
            "--quiet",
            "--ephemeral",
            "--exit-with-parent",
            "--port",
            str(port),
            "--clock",
            clock,
        ]
        words += [word for name, value in settings.items() for word in ("--set", f"{name}={value}")]
        try:
            self._process = subprocess.Popen(
                [*words, *args], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=self._log
            )
        except OSError as error:
            raise SandboxError(
                f"{executable} cannot run on this machine: {error.strerror}. Set PSP_BIN to one that can."
            ) from None
        ready = self._ready_line(executable)
        self.url: str = ready["url"]
        self.pid: int = ready["pid"]
        self.clock = Clock(self)

    def shop(self, **fields: Any) -> Shop:
        """Creates a shop with separate keys and secrets. `fields` are those of `POST /_psp/shops`."""
        return Shop(self, self.request("POST", "/_psp/shops", fields))

    def request(self, method: str, path: str, body: Any = None, headers: Mapping[str, str] = {}) -> Any:
        """Sends a request and returns the parsed body of the response. Raises `ApiError` for 4xx and 5xx."""
        payload = b"" if body is None else body if isinstance(body, bytes) else json.dumps(body).encode()
        content = {"Content-Type": "application/json"} if payload else {}
        connection = http.client.HTTPConnection(self.url.removeprefix("http://"), timeout=REQUEST_TIMEOUT)
        try:
            connection.request(method, path, payload or None, {**content, **headers})
            response = connection.getresponse()
            text = response.read()
        except (OSError, http.client.HTTPException) as broken:
            raise self._broken(broken) from None
        finally:
            connection.close()
        result = json.loads(text) if text else None
        if response.status >= 400:
            error = result["error"] if isinstance(result, dict) else {"code": "unknown", "message": repr(text)}
            raise ApiError(response.status, error["code"], error["message"])
        return result

    def close(self) -> None:
        """Stops the sandbox."""
        self._process.terminate()
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        if self._process.stdout is not None:
            self._process.stdout.close()
        self._log.close()

    def __enter__(self) -> Sandbox:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _ready_line(self, executable: str) -> dict[str, Any]:
        assert self._process.stdout is not None
        timer = threading.Timer(START_TIMEOUT, self._process.kill)
        timer.start()
        line = self._process.stdout.readline()
        timer.cancel()
        try:
            ready = json.loads(line)
            if ready["type"] == "ready":
                return dict(ready)
        except (ValueError, TypeError, KeyError):
            pass
        self._process.kill()
        status = self._process.wait()
        message = self._last_output() or line.decode(errors="replace").strip()
        self.close()
        raise SandboxError(f"The sandbox did not start ({executable}, {ending(status)}). {message}")

    def _broken(self, error: Exception) -> SandboxError:
        try:
            status = self._process.wait(1)
        except subprocess.TimeoutExpired:
            return SandboxError(
                f"The sandbox at {self.url} closed the connection or did not respond: {error}. "
                "A fault of the API such as `cut` causes this; otherwise see the log of the sandbox."
            )
        return SandboxError(
            f"The sandbox at {self.url} ended during the test ({ending(status)}). {self._last_output()}".strip()
        )

    def _last_output(self) -> str:
        if self._log.closed:
            return "It was closed by close()."
        self._log.seek(0)
        lines = self._log.read().decode(errors="replace").strip().splitlines()[-5:]
        try:
            error = json.loads(lines[-1])["error"]
            return f"{error['message']} {error['hint']}"
        except (IndexError, ValueError, TypeError, KeyError):
            return "\n".join(lines)


class Clock:
    """The clock of the sandbox. All its shops share it, and it moves forwards only."""

    def __init__(self, sandbox: Sandbox) -> None:
        self._sandbox = sandbox

    def now(self) -> str:
        """Returns the time of the sandbox, RFC 3339."""
        return str(self._sandbox.request("GET", "/_psp/clock")["now"])

    def advance(self, by: str | None = None, *, to: str | None = None, until: str | None = None) -> dict[str, Any]:
        """Runs every due step, webhooks included: `advance("20m")`, `advance(to="2026-05-06T12:00:00Z")`, `advance(until="idle")`."""
        given = {"by": by, "to": to, "until": until}
        body = {name: value for name, value in given.items() if value is not None}
        return dict(self._sandbox.request("POST", "/_psp/clock/advance", body))

    def freeze(self, at: str | None = None) -> None:
        """Stops the clock, at the given later time if there is one."""
        self._sandbox.request("POST", "/_psp/clock", {"mode": "frozen", **({} if at is None else {"now": at})})

    def resume(self) -> None:
        """Continues at the speed of the system clock."""
        self._sandbox.request("POST", "/_psp/clock", {"mode": "real"})


def ending(status: int) -> str:
    """Describes the status of an ended process."""
    return f"signal {-status}" if status < 0 else f"exit code {status}"
