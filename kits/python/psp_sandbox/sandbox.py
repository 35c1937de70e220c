"""Starts a sandbox as a child process, and sends requests to it."""

from __future__ import annotations

import http.client
import json
import platform
import tempfile
import threading
from subprocess import DEVNULL, PIPE, Popen, TimeoutExpired
from typing import Any, Mapping

from .errors import ApiError, SandboxError
from .executable import find_executable
from .operations import Clock, Json
from .shop import Shop

START_TIMEOUT = 60
SERVE = ["serve", "--json", "--quiet", "--ephemeral", "--exit-with-parent", "--port=0", "--clock=real"]


class Sandbox:
    """A running sandbox. It keeps all data in memory, and ends with the process that started it."""

    def __init__(self, *flags: str) -> None:
        """Starts the sandbox and waits until it is ready.

        flags: flags of `psp serve`, such as `--clock=frozen` and `--set=delays.bank=0s`.
        """
        executable = find_executable()
        self._log = tempfile.TemporaryFile()
        try:
            self._process = Popen([executable, *SERVE, *flags], stdin=DEVNULL, stdout=PIPE, stderr=self._log)
        except OSError as error:
            raise SandboxError(
                f"{executable} cannot run on this machine: {error.strerror}. "
                f"Set PSP_BIN to the psp executable for {platform.system()} on {platform.machine()}."
            ) from None
        ready = self._ready_line(executable)
        self.url: str = ready["url"]
        self.pid: int = ready["pid"]
        self.clock = Clock(self)

    def shop(self, **fields: Any) -> Shop:
        """Creates a shop with separate keys and secrets. `fields` are those of `POST /_psp/shops`."""
        return Shop(self, self.request("POST", "/_psp/shops", fields))

    def request(
        self, method: str, path: str, body: Json | bytes | None = None, headers: Mapping[str, str] = {}, timeout: float = 60
    ) -> Json:
        """Sends a request and returns the parsed body of the response. Raises `ApiError` for 4xx and 5xx."""
        payload = json.dumps(body).encode() if isinstance(body, dict) else body
        content = {"Content-Type": "application/json"} if payload else {}
        connection = http.client.HTTPConnection(self.url.removeprefix("http://"), timeout=timeout)
        try:
            connection.request(method, path, payload or None, {**content, **headers})
            response = connection.getresponse()
            text = response.read()
        except (OSError, http.client.HTTPException) as broken:
            raise self._broken(broken) from None
        finally:
            connection.close()
        if response.status >= 400:
            error = _parsed(text).get("error", {"code": "unknown", "message": text.decode(errors="replace")})
            raise ApiError(response.status, error["code"], error["message"])
        return _parsed(text)

    def close(self) -> None:
        """Stops the sandbox."""
        self._process.kill()
        self._process.communicate()
        self._log.close()

    def __enter__(self) -> Sandbox:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def _ready_line(self, executable: str) -> Json:
        assert self._process.stdout is not None
        timer = threading.Timer(START_TIMEOUT, self._process.kill)
        timer.start()
        line = self._process.stdout.readline()
        timer.cancel()
        ready = _parsed(line)
        if ready.get("type") == "ready":
            return ready
        ending = self._ending() or "no ready line"
        message = self._last_output() or line.decode(errors="replace").strip()
        self.close()
        raise SandboxError(f"The sandbox did not start ({executable}, {ending}). {message}")

    def _broken(self, error: Exception) -> SandboxError:
        if self._log.closed:
            return SandboxError(f"The sandbox at {self.url} was closed by close(). Close it after the last request.")
        if ending := self._ending():
            message = self._last_output() or f"Find what ended process {self.pid}, and run the tests again."
            return SandboxError(f"The sandbox at {self.url} ended during the test ({ending}). {message}")
        return SandboxError(
            f"The sandbox at {self.url} closed the connection or did not respond: {error}. "
            "A fault of the API such as `cut` causes this; otherwise see the log of the sandbox."
        )

    def _ending(self) -> str:
        """Returns how the process ended, or nothing if it still runs after a second."""
        try:
            status = self._process.wait(1)
        except TimeoutExpired:
            return ""
        return f"signal {-status}" if status < 0 else f"exit code {status}"

    def _last_output(self) -> str:
        """Returns the error that the sandbox printed. Without one, returns the last lines of its log."""
        self._log.seek(0)
        lines = self._log.read().strip().splitlines()[-5:]
        error = _parsed(lines[-1]).get("error") if lines else None
        return f"{error['message']} {error['hint']}" if error else b"\n".join(lines).decode(errors="replace")


def _parsed(text: bytes) -> Json:
    """Returns the JSON object, or an empty object for any other text."""
    try:
        value = json.loads(text)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}
