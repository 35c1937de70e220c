"""The shop for asynchronous tests. Tests await its methods, so that an application in the same event loop can respond."""

import asyncio
from typing import Any, Callable, Coroutine, ParamSpec, TypeVar

from .operations import Clock, Faults, Payments, Payouts, Refunds, Rules
from .shop import Shop

P = ParamSpec("P")
T = TypeVar("T")


def awaited(method: Callable[P, T]) -> Callable[P, Coroutine[Any, Any, T]]:
    """Returns an awaitable version of the method, which runs in a thread."""

    async def run(*args: P.args, **kwargs: P.kwargs) -> T:
        return await asyncio.to_thread(method, *args, **kwargs)

    return run


class AsyncClock:
    def __init__(self, clock: Clock) -> None:
        self.now = awaited(clock.now)
        self.advance = awaited(clock.advance)
        self.freeze = awaited(clock.freeze)
        self.resume = awaited(clock.resume)


class AsyncPayments:
    def __init__(self, payments: Payments) -> None:
        self.create = awaited(payments.create)
        self.get = awaited(payments.get)
        self.cancel = awaited(payments.cancel)
        self.refund = awaited(payments.refund)
        self.pay = awaited(payments.pay)
        self.decline = awaited(payments.decline)
        self.expire = awaited(payments.expire)


class AsyncPayouts:
    def __init__(self, payouts: Payouts) -> None:
        self.create = awaited(payouts.create)
        self.get = awaited(payouts.get)
        self.settle = awaited(payouts.settle)


class AsyncRefunds:
    def __init__(self, refunds: Refunds) -> None:
        self.settle = awaited(refunds.settle)


class AsyncRules:
    def __init__(self, rules: Rules) -> None:
        self.add = awaited(rules.add)
        self.list = awaited(rules.list)
        self.remove = awaited(rules.remove)
        self.clear = awaited(rules.clear)


class AsyncFaults:
    def __init__(self, faults: Faults) -> None:
        self.add = awaited(faults.add)
        self.list = awaited(faults.list)
        self.remove = awaited(faults.remove)
        self.clear = awaited(faults.clear)


class AsyncShop:
    """A shop whose methods are awaited: `await shop.wait_for("payment.succeeded")`. `sync` is the shop itself."""

    def __init__(self, shop: Shop) -> None:
        self.sync = shop
        self.url = shop.url
        self.shop_id = shop.shop_id
        self.api_key = shop.api_key
        self.signing_secret = shop.signing_secret
        self.webhook_secret = shop.webhook_secret
        self.env = shop.env
        self.clock = AsyncClock(shop.clock)
        self.advance = self.clock.advance
        self.payments = AsyncPayments(shop.payments)
        self.payouts = AsyncPayouts(shop.payouts)
        self.refunds = AsyncRefunds(shop.refunds)
        self.rules = AsyncRules(shop.rules)
        self.faults = AsyncFaults(shop.faults)
        self.request = awaited(shop.request)
        self.deliver_to = awaited(shop.deliver_to)
        self.events = awaited(shop.events)
        self.deliveries = awaited(shop.deliveries)
        self.wait_for = awaited(shop.wait_for)
