"""One shop of a sandbox: its keys, webhooks and events."""

from __future__ import annotations

import hashlib
import hmac
import json
import time
from typing import TYPE_CHECKING, Any, Callable, Mapping
from urllib.parse import urlencode

from .errors import WaitTimeoutError
from .operations import Faults, Json, Payments, Payouts, Refunds, Rules

if TYPE_CHECKING:
    from .sandbox import Sandbox

Where = Mapping[str, Any] | Callable[[Json], bool]

HEADERS = {"outcome": "X-PSP-Simulate", "idempotency_key": "Idempotency-Key"}
POLL = 0.02
SHOWN = 5


class Shop:
    """A shop that other tests do not see. `env` has the variables that an application needs to use it."""

    def __init__(self, sandbox: Sandbox, created: Json) -> None:
        self.sandbox = sandbox
        self.clock = sandbox.clock
        self.url = sandbox.url
        self.shop_id: str = created["shop_id"]
        self.api_key: str = created["api_key"]
        self.signing_secret: str = created["signing_secret"]
        self.webhook_secret: str = created["webhook_secret"]
        self.env = {
            "PSP_URL": self.url,
            "PSP_API_KEY": self.api_key,
            "PSP_SIGNING_SECRET": self.signing_secret,
            "PSP_WEBHOOK_SECRET": self.webhook_secret,
        }
        self.payments = Payments(self, "payments")
        self.payouts = Payouts(self, "payouts")
        self.refunds = Refunds(self, "refunds")
        self.rules = Rules(self, "rules")
        self.faults = Faults(self, "faults")

    def request(self, method: str, path: str, body: Json | None = None, headers: Mapping[str, str] = {}) -> Json:
        """Sends a signed request of this shop to the public API.

        body: its fields `outcome` and `idempotency_key` are sent as headers.
        """
        fields = dict(body or {})
        named = {name: str(fields.pop(field)) for field, name in HEADERS.items() if field in fields}
        payload = b"" if body is None else json.dumps(fields).encode()
        mac = hmac.new(self.signing_secret.encode(), payload, hashlib.sha256).hexdigest()
        signed = {"Authorization": f"Bearer {self.api_key}", "X-PSP-Signature": f"sha256={mac}"}
        return self.sandbox.request(method, path, payload, {**signed, **named, **headers})

    def deliver_to(self, url: str, *, events: list[str] = []) -> Json:
        """Sends the webhooks of this shop to the URL, signed with `webhook_secret`. Default: every event."""
        body = {"url": url, "own_secret": False, "events": events}
        return self.sandbox.request("POST", f"/_psp/shops/{self.shop_id}/endpoints", body)

    def events(self, **filters: str) -> list[Json]:
        """Returns the last 1,000 events of this shop, newest first."""
        return self._list("/_psp/events", filters)

    def deliveries(self, **filters: str) -> list[Json]:
        """Returns the last 1,000 deliveries of this shop, newest first, each with its attempts."""
        return self._list("/_psp/deliveries", filters)

    def wait_for(self, event: str, where: Where = {}, *, timeout: float = 5) -> Json:
        """Returns the first matching event, past or future, after the first attempt of each of its webhooks.

        where: fields of the object or event, `{"order_id": "A-1", "metadata.cart": 7}`, or a function of the event.
        timeout: in seconds.
        """
        deadline = time.monotonic() + timeout
        while True:
            first = next((one for one in reversed(self.events(event=event)) if matches(one, where)), None)
            if first and not any(map(is_open, self.deliveries(event_id=first["id"]))):
                return first
            if time.monotonic() > deadline:
                raise WaitTimeoutError(self._missing(event, where, timeout, first is not None))
            time.sleep(POLL)

    def _list(self, path: str, filters: Mapping[str, str]) -> list[Json]:
        query = urlencode({"shop_id": self.shop_id, "limit": "1000", **filters})
        return list(self.sandbox.request("GET", f"{path}?{query}")["items"])

    def _missing(self, event: str, where: Where, timeout: float, happened: bool) -> str:
        wanted = event if callable(where) or not where else f"{event} with {json.dumps(dict(where))}"
        if happened:
            late = f"{wanted} happened, but its webhook got no response within {timeout} s."
            return f"{late} Check the URL in deliver_to()."
        seen = self.events()[:SHOWN]
        lines = [f"{wanted} did not happen within {timeout} s."]
        lines.append("Events that happened instead:" if seen else "No event happened.")
        lines += [f"  {one['event']}  {one['data'].get('order_id', one['object_id'])}" for one in seen]
        if self.sandbox.request("GET", "/_psp/clock")["mode"] == "frozen":
            lines.append('The clock is frozen: clock.advance("10s") runs the next steps.')
        return "\n".join(lines)


def is_open(delivery: Json) -> bool:
    """Returns whether the first attempt is yet to end."""
    return not delivery["attempts"] and delivery["status"] not in ("cancelled", "exhausted")


def matches(event: Json, where: Where) -> bool:
    """Returns whether the event has each value, in its object or in itself."""
    if callable(where):
        return where(event)
    return all(str(_field({**event, **event["data"]}, path)) == str(value) for path, value in where.items())


def _field(value: Any, path: str) -> Any:
    for name in path.split("."):
        value = value.get(name) if isinstance(value, dict) else None
    return value
