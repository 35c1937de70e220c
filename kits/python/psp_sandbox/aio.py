"""The shop for asynchronous tests: the same methods, awaited, so that an application in the same loop can respond."""

import asyncio
from functools import partial
from typing import Any

from .operations import Clock, Operations
from .shop import Shop


class Awaited:
    """An object whose methods are awaited, because each runs in a thread. `sync` is the object itself."""

    def __init__(self, target: object) -> None:
        self.sync: Any = target

    def __getattr__(self, name: str) -> Any:
        value = getattr(self.sync, name)
        if isinstance(value, (Clock, Operations)):
            return Awaited(value)
        return partial(asyncio.to_thread, value) if callable(value) else value


class AsyncShop(Awaited):
    """A shop whose methods are awaited: `await shop.wait_for("payment.succeeded")`."""

    def __init__(self, shop: Shop) -> None:
        super().__init__(shop)
        self.advance = self.clock.advance
