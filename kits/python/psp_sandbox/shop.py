"""One shop of a sandbox: its keys, webhooks and events."""

from __future__ import annotations

import hashlib
import hmac
import json
from typing import TYPE_CHECKING, Any, Mapping
from urllib.parse import urlencode

from .errors import WaitTimeoutError
from .operations import Faults, Json, Payments, Payouts, Refunds, Rules

if TYPE_CHECKING:
    from .sandbox import Sandbox

HEADERS = {"outcome": "X-PSP-Simulate", "idempotency_key": "Idempotency-Key"}


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

    def request(self, method: str, path: str, body: Json | None = None) -> Json:
        """Sends a signed request of this shop to the public API.

        body: its fields `outcome` and `idempotency_key` are sent as headers.
        """
        fields = dict(body or {})
        headers = {name: str(fields.pop(field)) for field, name in HEADERS.items() if field in fields}
        payload = b"" if body is None else json.dumps(fields).encode()
        mac = hmac.new(self.signing_secret.encode(), payload, hashlib.sha256).hexdigest()
        headers |= {"Authorization": f"Bearer {self.api_key}", "X-PSP-Signature": f"sha256={mac}"}
        return self.sandbox.request(method, path, payload, headers)

    def deliver_to(self, url: str, *, events: list[str] = []) -> None:
        """Sends the webhooks of this shop to the URL, signed with `webhook_secret`. Default: every event."""
        body = {"url": url, "own_secret": False, "events": events}
        self.sandbox.request("POST", f"/_psp/shops/{self.shop_id}/endpoints", body)

    def events(self, **filters: str) -> list[Json]:
        """Returns the last 1,000 events of this shop, newest first."""
        return self._list("events", **filters)

    def deliveries(self, **filters: str) -> list[Json]:
        """Returns the last 1,000 deliveries of this shop, newest first, each with its attempts."""
        return self._list("deliveries", **filters)

    def wait_for(self, event: str, where: Mapping[str, Any] = {}, *, timeout: float = 5) -> Json:
        """Returns the first matching event, past or future, after the first attempt of each of its webhooks.

        where: fields of the event or of its object, such as `{"order_id": "A-1", "metadata.cart": 7}`.
        timeout: in seconds.
        """
        path = f"/_psp/shops/{self.shop_id}/wait"
        body = {"event": event, "where": dict(where), "timeout": f"{round(timeout * 1000)}ms"}
        result = self.sandbox.request("POST", path, body, timeout=timeout + 60)
        if result["event"] is None:
            raise WaitTimeoutError(result["message"])
        return dict(result["event"])

    def _list(self, path: str, **filters: str) -> list[Json]:
        query = urlencode({"shop_id": self.shop_id, "limit": "1000", **filters})
        return list(self.sandbox.request("GET", f"/_psp/{path}?{query}")["items"])
