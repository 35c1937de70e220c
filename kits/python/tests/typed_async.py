"""Mypy checks this file: a type error in a call of the asynchronous shop is found, so none of its methods is `Any`."""

from typing import Any

from typing_extensions import assert_type

from psp_sandbox.aio import AsyncShop


async def use(shop: AsyncShop) -> None:
    assert_type(await shop.payments.pay("pay_1", method="cards"), dict[str, Any])
    assert_type(await shop.payouts.settle("po_1", "failed", "recipient_not_found"), dict[str, Any])
    assert_type(await shop.refunds.settle("ref_1", "succeeded"), dict[str, Any])
    assert_type(await shop.rules.list(), list[dict[str, Any]])
    assert_type(await shop.faults.add("webhook", "drop", times=1), dict[str, Any])
    assert_type(await shop.events(event="payment.succeeded"), list[dict[str, Any]])
    assert_type(await shop.wait_for("payment.succeeded", {"order_id": "A-1"}, timeout=1), dict[str, Any])
    assert_type(await shop.clock.now(), str)
    assert_type(await shop.deliver_to("http://127.0.0.1/hooks"), None)
    await shop.clock.advance(20)  # type: ignore[arg-type]
    await shop.payments.refund(40)  # type: ignore[arg-type]
    await shop.wait_for("payment.succeeded", timeout="1s")  # type: ignore[arg-type]
