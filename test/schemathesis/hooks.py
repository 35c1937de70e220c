"""Does for Schemathesis what the program of a merchant does: signs requests, and reads the messages of event streams."""

import hashlib
import hmac
import json
import os
import re

import schemathesis
from hypothesis import strategies as st
from requests.auth import AuthBase

SIGNATURE = "X-PSP-Signature"
SECRET = os.environ.get("PSP_SIGNING_SECRET", "").encode()

# Plans for which the sandbox breaks the connection or responds with 5xx, as the caller asked.
BREAKING = re.compile(r"^(cut|error:(internal_error|router_error))(@|$)")


class Signed(AuthBase):
    """Puts the signature of the body in the place of a signature that has the right form."""

    def __call__(self, request):
        if re.fullmatch(r"sha256=[0-9a-f]{64}", request.headers.get(SIGNATURE, "")):
            body = request.body or b""
            raw = body.encode() if isinstance(body, str) else body
            request.headers[SIGNATURE] = "sha256=" + hmac.new(SECRET, raw, hashlib.sha256).hexdigest()
        return request


schemathesis.openapi.format("psp-signature", st.from_regex(r"sha256=[0-9a-f]{64}", fullmatch=True))


@schemathesis.hook
def before_load_schema(context, raw_schema):
    """The coverage phase makes no valid header that has to contain "=", unless a format does."""
    for methods in raw_schema["paths"].values():
        for operation in methods.values():
            for parameter in operation.get("parameters", []):
                if parameter["name"] == SIGNATURE:
                    parameter["schema"]["format"] = "psp-signature"


@schemathesis.hook
def before_call(context, case, kwargs):
    if SECRET:
        kwargs.setdefault("auth", Signed())


@schemathesis.hook
def filter_case(context, case):
    plan = (case.headers or {}).get("X-PSP-Simulate")
    return not (isinstance(plan, str) and BREAKING.match(plan))


@schemathesis.deserializer("text/event-stream")
def messages(context, response):
    """The data of each event. OpenAPI 3.1 describes the data of events; Schemathesis expects whole events."""
    blocks = response.content.decode().split("\n\n")
    lines = [line for block in blocks for line in block.split("\n")]
    return [json.loads(line.removeprefix("data: ")) for line in lines if line.startswith("data: ")]
