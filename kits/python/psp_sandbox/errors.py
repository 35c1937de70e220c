"""The errors of the kit. Each message says what happened, then what to do next."""


class PspError(Exception):
    """The base class of all errors of the kit."""


class SandboxError(PspError):
    """The sandbox could not start, ended during the test, or closed a connection."""


class ApiError(PspError):
    """The API rejected a request."""

    def __init__(self, status: int, code: str, message: str) -> None:
        super().__init__(f"{status} {code}: {message}")
        self.status = status
        self.code = code


class WaitTimeoutError(PspError):
    """The event did not happen in time. The message lists the events that did."""


class InvalidSignatureError(PspError):
    """The signature is missing or wrong, or its time differs too much from the current time."""
