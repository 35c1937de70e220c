"""Runs a psp sandbox for tests: a local payment service provider whose outcomes, clock and faults a test controls."""

from .errors import ApiError, InvalidSignatureError, PspError, SandboxError, WaitTimeoutError
from .operations import Clock, Faults, Payments, Payouts, Refunds, Rules
from .sandbox import Sandbox
from .shop import Shop
from .webhook import verify

__all__ = [
    "ApiError",
    "Clock",
    "Faults",
    "InvalidSignatureError",
    "Payments",
    "Payouts",
    "PspError",
    "Refunds",
    "Rules",
    "Sandbox",
    "SandboxError",
    "Shop",
    "WaitTimeoutError",
    "verify",
]
