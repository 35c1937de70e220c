"""The operations of a shop: clock, payments, payouts, refunds, rules and faults."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Mapping, Sequence

if TYPE_CHECKING:
    from .sandbox import Sandbox
    from .shop import Shop

Json = dict[str, Any]
Match = Mapping[str, Any]


class Clock:
    """The clock of the sandbox. All shops of the sandbox share the clock, and a test can move it forwards only."""

    def __init__(self, sandbox: Sandbox) -> None:
        self._sandbox = sandbox

    def now(self) -> str:
        """Returns the time of the sandbox, RFC 3339."""
        return str(self._sandbox.request("GET", "/_psp/clock")["now"])

    def advance(self, by: str) -> None:
        """Runs every step that is due within the duration, webhooks included: `advance("20m")`."""
        self._sandbox.request("POST", "/_psp/clock/advance", {"by": by})

    def freeze(self) -> None:
        """Stops the clock."""
        self._sandbox.request("POST", "/_psp/clock", {"mode": "frozen"})

    def resume(self) -> None:
        """Continues at the speed of the system clock."""
        self._sandbox.request("POST", "/_psp/clock", {"mode": "real"})


class Operations:
    """Operations on the objects of one kind."""

    def __init__(self, shop: Shop, kind: str) -> None:
        self._shop = shop
        self._kind = kind

    def _act(self, id: str, **body: Any) -> Json:
        return self._shop.sandbox.request("POST", f"/_psp/{self._kind}/{id}/act", given(**body))


class Payments(Operations):
    """Payments of the shop, and the actions of buyer and bank on them."""

    def create(self, amount: int, **fields: Any) -> Json:
        """Creates a payment with an amount in minor units. Returns the response, with `payment` and `payment_url`.

        fields: the other fields of the request, such as `order_id` and `metadata`; `outcome` is the plan of the
            simulator, such as `failed:insufficient_funds`; `idempotency_key` is sent as a header.
        """
        return self._shop.request("POST", "/v1/public/payments", given(amount=amount, **fields))

    def get(self, id: str) -> Json:
        """Returns the payment."""
        return self._shop.request("GET", f"/v1/public/payments/{id}")

    def cancel(self, id: str) -> None:
        """Cancels a pending payment."""
        self._shop.request("POST", f"/v1/public/payments/{id}/cancel")

    def refund(self, id: str, amount: int = 0, **fields: Any) -> Json:
        """Refunds the amount, or the whole remainder if it is 0. `fields` may be `reason` and `idempotency_key`."""
        return self._shop.request("POST", f"/v1/public/payments/{id}/refund", given(amount=amount, **fields))

    def pay(self, id: str, method: str | None = None) -> Json:
        """Pays as the buyer, by SBP or another method. The payment is final at once."""
        return self._act(id, action="pay", method=method)

    def decline(self, id: str, failure_code: str | None = None) -> Json:
        """Declines as the bank, with `do_not_honor` or another code. The payment is final at once."""
        return self._act(id, action="decline", failure_code=failure_code)

    def expire(self, id: str) -> Json:
        """Expires the payment at once."""
        return self._act(id, action="expire")


class Settled(Operations):
    """Payouts or refunds, which the bank settles."""

    def settle(self, id: str, status: str, failure_code: str | None = None) -> Json:
        """Settles a pending payout or refund as the bank: `succeeded` or `failed`."""
        return self._act(id, action="settle", status=status, failure_code=failure_code)


class Payouts(Settled):
    """Payouts of the shop, and the action of the bank on them."""

    def create(self, amount: int, phone: str, bank_id: str, **fields: Any) -> Json:
        """Creates a payout. The amount and `fields` are as in `payments.create`. Returns the response, with `payout`."""
        body = given(amount=amount, phone=phone, bank_id=bank_id, **fields)
        return self._shop.request("POST", "/v1/public/payouts", body)

    def get(self, id: str) -> Json:
        """Returns the payout."""
        return self._shop.request("GET", f"/v1/public/payouts/{id}")


class Refunds(Settled):
    """The action of the bank on refunds. `payments.refund` creates refunds."""


class Counted(Operations):
    """Rules or faults. `times` limits how often one applies."""

    def list(self) -> list[Json]:
        """Returns the rules or faults of this shop, newest first."""
        return self._shop._list(self._kind)

    def remove(self, id: str) -> None:
        """Removes the rule or fault with this id."""
        self._shop.sandbox.request("DELETE", f"/_psp/{self._kind}/{id}")

    def clear(self) -> None:
        """Removes all rules or faults of this shop."""
        self._shop.sandbox.request("DELETE", f"/_psp/{self._kind}?shop_id={self._shop.shop_id}")

    def _add(self, match: Match, **body: Any) -> Json:
        body = given(match={**match, "shop_id": self._shop.shop_id}, **body)
        return self._shop.sandbox.request("POST", f"/_psp/{self._kind}", body)


class Rules(Counted):
    """Rules that decide the outcome of this shop's payments, refunds and payouts."""

    def add(self, plan: str | Sequence[str], match: Match = {}, *, times: int | None = None) -> Json:
        """Adds a rule: `add("failed:insufficient_funds", {"order_id": "A-*"}, times=1)`."""
        return self._add(match, plan=plan, times=times)


class Faults(Counted):
    """Transport faults between this shop and the service."""

    def add(self, target: str, fault: str, match: Match = {}, *, times: int | None = None) -> Json:
        """Adds a fault: `add("webhook", "duplicate:1", times=1)`. Targets are api, webhook, stream and redirect."""
        return self._add(match, target=target, fault=fault, times=times)


def given(**fields: Any) -> Json:
    """Returns the fields that have a value."""
    return {name: value for name, value in fields.items() if value is not None}
