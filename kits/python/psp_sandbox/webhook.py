"""Verifies the signature of a webhook."""

import hashlib
import hmac
import json
import re
import time
from typing import Any

from .errors import InvalidSignatureError

TOLERANCE = 300
"""The accepted difference between the time of a signature and the current time, in seconds."""


def verify(raw_body: bytes, header: str | None, secret: str, *, now: float | None = None) -> dict[str, Any]:
    """Returns the event of a webhook with a valid signature.

    raw_body: the received bytes (FastAPI: `await request.body()`, Django: `request.body`).
    header: the value of `X-PSP-Signature`.
    now: Unix time, for tests with a fake clock.
    """
    if not secret:
        raise ValueError("verify: the webhook secret is empty. Set PSP_WEBHOOK_SECRET.")
    pairs = (part.strip().partition("=") for part in (header or "").split(","))
    parts = {name: value for name, _, value in pairs}
    t = parts.get("t", "")
    if not re.fullmatch(r"[0-9]{1,12}", t) or "v2" not in parts:
        raise InvalidSignatureError("X-PSP-Signature is missing, or its format is not t=…,v2=….")
    if abs((time.time() if now is None else now) - int(t)) > TOLERANCE:
        raise InvalidSignatureError(f"The signature was made at {t}, more than {TOLERANCE} s from now.")
    expected = hmac.new(secret.strip().encode(), t.encode() + b"." + raw_body, hashlib.sha256).hexdigest()
    if not hmac.compare_digest(expected.encode(), parts["v2"].encode()):
        raise InvalidSignatureError(
            "The signature does not match. Verify the received bytes, with the whs_ secret of this shop."
        )
    event: dict[str, Any] = json.loads(raw_body)
    return event
