import base64
import hashlib
import hmac
import re
import sys
import time


def verify(raw_body: bytes, header: str, secret: str, now: float | None = None, tolerance: int = 300) -> bool:
    """raw_body: the received bytes (Flask: request.get_data(), Django: request.body)."""
    parts = dict(part.strip().partition("=")[::2] for part in (header or "").split(","))
    t = parts.get("t", "")
    if not re.fullmatch(r"[0-9]{1,12}", t):
        return False
    if abs((time.time() if now is None else now) - int(t)) > tolerance:
        return False
    expected = hmac.new(secret.encode(), t.encode() + b"." + raw_body, hashlib.sha256).hexdigest()
    return hmac.compare_digest(expected.encode(), parts.get("v2", "").encode())


# Each line is one case: secret, now, header and body (both base64), separated by tabs.
if __name__ == "__main__":
    for line in sys.stdin:
        secret, now, header, body = line.rstrip("\n").split("\t")
        valid = verify(base64.b64decode(body), base64.b64decode(header).decode(errors="replace"), secret, int(now))
        print("valid" if valid else "invalid")
