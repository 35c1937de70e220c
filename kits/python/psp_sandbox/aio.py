"""The shop for asynchronous tests: the same methods, awaited, so that an application in the same loop can respond."""

import asyncio
from collections.abc import Awaitable, Callable
from functools import wraps
from typing import ParamSpec, TypeVar

from .shop import Faults, Payments, Payouts, Refunds, Rules, Shop

P = ParamSpec("P")
T = TypeVar("T")


def asynchronous(function: Callable[P, T]) -> Callable[P, Awaitable[T]]:
    """Returns a function that runs the given one in a thread."""

    @wraps(function)
    async def run(*args: P.args, **kwargs: P.kwargs) -> T:
        return await asyncio.to_thread(function, *args, **kwargs)

    return run


class AsyncShop:
    """A shop whose methods are awaited: `await shop.wait_for("payment.succeeded")`. `sync` is the shop itself."""

    def __init__(self, shop: Shop) -> None:
        self.sync = shop
        self.env = shop.env
        self.webhook_secret = shop.webhook_secret
        self.payments = AsyncPayments(shop.payments)
        self.payouts = AsyncPayouts(shop.payouts)
        self.refunds = AsyncRefunds(shop.refunds)
        self.rules = AsyncRules(shop.rules)
        self.faults = AsyncFaults(shop.faults)
        self.advance = asynchronous(shop.clock.advance)
        self.deliver_to = asynchronous(shop.deliver_to)
        self.deliveries = asynchronous(shop.deliveries)
        self.events = asynchronous(shop.events)
        self.wait_for = asynchronous(shop.wait_for)


class AsyncPayments:
    def __init__(self, payments: Payments) -> None:
        self.create = asynchronous(payments.create)
        self.get = asynchronous(payments.get)
        self.cancel = asynchronous(payments.cancel)
        self.refund = asynchronous(payments.refund)
        self.pay = asynchronous(payments.pay)
        self.decline = asynchronous(payments.decline)
        self.expire = asynchronous(payments.expire)


class AsyncPayouts:
    def __init__(self, payouts: Payouts) -> None:
        self.create = asynchronous(payouts.create)
        self.get = asynchronous(payouts.get)
        self.settle = asynchronous(payouts.settle)


class AsyncRefunds:
    def __init__(self, refunds: Refunds) -> None:
        self.settle = asynchronous(refunds.settle)


class AsyncRules:
    def __init__(self, rules: Rules) -> None:
        self.add = asynchronous(rules.add)
        self.clear = asynchronous(rules.clear)


class AsyncFaults:
    def __init__(self, faults: Faults) -> None:
        self.add = asynchronous(faults.add)
        self.clear = asynchronous(faults.clear)
