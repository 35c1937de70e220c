"""One shop of a sandbox: its keys, payments, payouts, rules, faults and webhooks."""

from __future__ import annotations

import hashlib
import hmac
import json
import time
from typing import TYPE_CHECKING, Any, Callable, Mapping
from urllib.parse import urlencode

from .errors import WaitTimeoutError

if TYPE_CHECKING:
    from .sandbox import Sandbox

Json = dict[str, Any]
Where = Mapping[str, Any] | Callable[[Json], bool]

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
        self.payments = Payments(self)
        self.payouts = Payouts(self)
        self.refunds = Refunds(self)
        self.rules = Rules(self, "/_psp/rules")
        self.faults = Faults(self, "/_psp/faults")

    def request(self, method: str, path: str, body: Json | None = None, headers: Mapping[str, str] = {}) -> Any:
        """Sends a signed request of this shop to the public API."""
        payload = b"" if body is None else json.dumps(body).encode()
        mac = hmac.new(self.signing_secret.encode(), payload, hashlib.sha256).hexdigest()
        signed = {"Authorization": f"Bearer {self.api_key}", "X-PSP-Signature": f"sha256={mac}", **headers}
        return self.sandbox.request(method, path, payload or None, signed)

    def deliver_to(self, url: str, *, events: list[str] | None = None) -> Json:
        """Sends the webhooks of this shop to the URL, signed with `webhook_secret`. Default: every event."""
        body = {"url": url, "own_secret": False, **({} if events is None else {"events": events})}
        return dict(self.sandbox.request("POST", f"/_psp/shops/{self.shop_id}/endpoints", body))

    def events(self, **filters: str) -> list[Json]:
        """Returns the last 1,000 events of this shop, newest first."""
        return self._list("/_psp/events", **filters)

    def deliveries(self, **filters: str) -> list[Json]:
        """Returns the last 1,000 deliveries of this shop, newest first, each with its attempts."""
        return self._list("/_psp/deliveries", **filters)

    def wait_for(self, event: str, where: Where = {}, *, timeout: float = 5) -> Json:
        """Returns the first matching event, past or future, after the first attempt of each of its webhooks.

        where: fields of the object or event, `{"order_id": "A-1", "metadata.cart": 7}`, or a function of the event.
        """
        deadline = time.monotonic() + timeout
        while True:
            matching = [one for one in reversed(self.events(event=event)) if matches(one, where)]
            if matching and all(was_attempted(one) for one in self.deliveries(event_id=matching[0]["id"])):
                return matching[0]
            if time.monotonic() > deadline:
                raise WaitTimeoutError(self._missing(event, where, timeout, bool(matching)))
            time.sleep(POLL)

    def _list(self, path: str, **filters: str) -> list[Json]:
        query = urlencode({"shop_id": self.shop_id, "limit": "1000", **filters})
        return list(self.sandbox.request("GET", f"{path}?{query}")["items"])

    def _missing(self, event: str, where: Where, timeout: float, happened: bool) -> str:
        wanted = "" if callable(where) or not where else f" with {json.dumps(dict(where))}"
        if happened:
            return f"{event}{wanted} happened, but its webhook got no response within {timeout} s. Check the URL in deliver_to()."
        lines = [f"{event}{wanted} did not happen within {timeout} s."]
        seen = self.events()[:SHOWN]
        lines.append("Events that happened instead:" if seen else "No event happened.")
        lines += [f"  {one['event']}  {one['data'].get('order_id', one['object_id'])}" for one in seen]
        if self.sandbox.request("GET", "/_psp/clock")["mode"] == "frozen":
            lines.append('The clock is frozen: clock.advance("10s") runs the next steps.')
        return "\n".join(lines)


class Payments:
    """Payments of the shop, and the acts of buyer and bank on them."""

    def __init__(self, shop: Shop) -> None:
        self._shop = shop

    def create(
        self, amount: int, *, outcome: str | None = None, idempotency_key: str | None = None, **fields: Any
    ) -> Json:
        """Creates a payment, in minor units. Returns `payment`, `payment_url` and the rest of the response.

        outcome: the plan of the simulator, such as `failed:insufficient_funds` or `pending`.
        fields: the other fields of the request, such as `order_id` and `metadata`.
        """
        headers = given({"X-PSP-Simulate": outcome, "Idempotency-Key": idempotency_key})
        return dict(self._shop.request("POST", "/v1/public/payments", {"amount": amount, **fields}, headers))

    def get(self, id: str) -> Json:
        """Returns the payment."""
        return dict(self._shop.request("GET", f"/v1/public/payments/{id}"))

    def cancel(self, id: str) -> None:
        """Cancels a pending payment."""
        self._shop.request("POST", f"/v1/public/payments/{id}/cancel")

    def refund(
        self, id: str, amount: int = 0, *, reason: str | None = None, idempotency_key: str | None = None
    ) -> Json:
        """Refunds the amount, or the whole remainder. Returns the refund."""
        body = {"amount": amount, **given({"reason": reason})}
        return dict(
            self._shop.request(
                "POST", f"/v1/public/payments/{id}/refund", body, given({"Idempotency-Key": idempotency_key})
            )
        )

    def pay(self, id: str, method: str | None = None) -> Json:
        """Pays as the buyer. The payment is final at once."""
        return self._act(id, {"action": "pay", **given({"method": method})})

    def decline(self, id: str, failure_code: str = "do_not_honor") -> Json:
        """Declines as the bank. The payment is final at once."""
        return self._act(id, {"action": "decline", "failure_code": failure_code})

    def expire(self, id: str) -> Json:
        """Expires the payment at once."""
        return self._act(id, {"action": "expire"})

    def _act(self, id: str, body: Json) -> Json:
        return dict(self._shop.sandbox.request("POST", f"/_psp/payments/{id}/act", body))


class Payouts:
    """Payouts of the shop, and the act of the bank on them."""

    def __init__(self, shop: Shop) -> None:
        self._shop = shop

    def create(
        self,
        amount: int,
        phone: str,
        bank_id: str,
        *,
        outcome: str | None = None,
        idempotency_key: str | None = None,
        **fields: Any,
    ) -> Json:
        """Creates a payout, in minor units. Returns `payout` and the rest of the response."""
        body = {"amount": amount, "phone": phone, "bank_id": bank_id, **fields}
        headers = given({"X-PSP-Simulate": outcome, "Idempotency-Key": idempotency_key})
        return dict(self._shop.request("POST", "/v1/public/payouts", body, headers))

    def get(self, id: str) -> Json:
        """Returns the payout."""
        return dict(self._shop.request("GET", f"/v1/public/payouts/{id}"))

    def settle(self, id: str, status: str = "succeeded", failure_code: str | None = None) -> Json:
        """Settles a pending payout as the bank: `succeeded` or `failed`."""
        return settle(self._shop, "payouts", id, status, failure_code)


class Refunds:
    """The act of the bank on refunds. `payments.refund` creates them."""

    def __init__(self, shop: Shop) -> None:
        self._shop = shop

    def settle(self, id: str, status: str = "succeeded", failure_code: str | None = None) -> Json:
        """Settles a pending refund as the bank: `succeeded` or `failed`."""
        return settle(self._shop, "refunds", id, status, failure_code)


class _Counted:
    def __init__(self, shop: Shop, path: str) -> None:
        self._shop = shop
        self._path = path

    def list(self) -> list[Json]:
        """Returns those of this shop, newest first."""
        items = self._shop.sandbox.request("GET", f"{self._path}?limit=1000")["items"]
        return [one for one in items if one.get("match", {}).get("shop_id") == self._shop.shop_id]

    def remove(self, id: str) -> None:
        """Removes one by its id."""
        self._shop.sandbox.request("DELETE", f"{self._path}/{id}")

    def clear(self) -> None:
        """Removes those of this shop."""
        for one in self.list():
            self.remove(one["id"])

    def _add(self, body: Json, match: Mapping[str, Any]) -> Json:
        body = {**given(body), "match": {**match, "shop_id": self._shop.shop_id}}
        return dict(self._shop.sandbox.request("POST", self._path, body))


class Rules(_Counted):
    """Rules that decide the outcome of this shop's payments, refunds and payouts."""

    def add(
        self,
        plan: str | list[str],
        match: Mapping[str, Any] = {},
        *,
        times: int | None = None,
        every: int | None = None,
    ) -> Json:
        """Adds a rule: `add("failed:insufficient_funds", {"order_id": "A-*"}, times=1)`."""
        return self._add({"plan": plan, "times": times, "every": every}, match)


class Faults(_Counted):
    """Transport faults between this shop and the service."""

    def add(
        self,
        target: str,
        fault: str,
        match: Mapping[str, Any] = {},
        *,
        times: int | None = None,
        every: int | None = None,
    ) -> Json:
        """Adds a fault: `add("webhook", "duplicate:1", times=1)`. Targets are api, webhook, stream and redirect."""
        return self._add({"target": target, "fault": fault, "times": times, "every": every}, match)


def matches(event: Json, where: Where) -> bool:
    """Returns whether the event has each value, in its object or in itself."""
    if callable(where):
        return where(event)
    fields = {**event, **event["data"]}
    return all(str(field_of(fields, name)) == str(value) for name, value in where.items())


def field_of(value: Any, path: str) -> Any:
    """Returns a field, with dots between the names of nested ones."""
    for name in path.split("."):
        value = value.get(name) if isinstance(value, dict) else None
    return value


def was_attempted(delivery: Json) -> bool:
    """Returns whether the first attempt is over."""
    return bool(delivery["attempts"]) or delivery["status"] in ("cancelled", "exhausted")


def settle(shop: Shop, kind: str, id: str, status: str, failure_code: str | None) -> Json:
    body = {"action": "settle", "status": status, **given({"failure_code": failure_code})}
    return dict(shop.sandbox.request("POST", f"/_psp/{kind}/{id}/act", body))


def given(fields: Mapping[str, Any]) -> Json:
    """Returns the fields that have a value."""
    return {name: value for name, value in fields.items() if value is not None}
