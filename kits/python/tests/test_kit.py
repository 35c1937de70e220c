"""Tests of the interface against the real executable."""

import hashlib
import hmac
import json
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Iterator

import pytest

from psp_sandbox import ApiError, InvalidSignatureError, Sandbox, Shop, WaitTimeoutError, verify
from psp_sandbox.aio import AsyncShop


class Receiver:
    """Keeps each webhook with its signature."""

    def __init__(self) -> None:
        self.webhooks: list[tuple[bytes, str | None]] = []
        webhooks = self.webhooks

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["content-length"]))
                webhooks.append((body, self.headers["x-psp-signature"]))
                self.send_response(200)
                self.end_headers()

            def log_message(self, format: str, *args: Any) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/hooks"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    receiver = Receiver()
    yield receiver
    receiver.server.shutdown()
    receiver.server.server_close()


def test_a_paid_payment_sends_a_webhook_that_verify_accepts(psp_shop: Shop, receiver: Receiver) -> None:
    psp_shop.deliver_to(receiver.url)
    created = psp_shop.payments.create(15000, order_id="A-1", metadata={"cart": "7"})
    assert psp_shop.payments.pay(created["payment"]["id"])["status"] == "succeeded"
    event = psp_shop.wait_for("payment.succeeded", {"metadata.cart": 7, "amount_refunded": 0})
    [(body, header)] = receiver.webhooks
    message = verify(body, header, psp_shop.webhook_secret)
    assert message["id"] == event["id"]
    assert message["data"]["order_id"] == "A-1"
    with pytest.raises(InvalidSignatureError, match="does not match"):
        verify(body + b" ", header, psp_shop.webhook_secret)
    with pytest.raises(InvalidSignatureError, match="more than 300 s"):
        verify(body, header, psp_shop.webhook_secret, now=time.time() + 301)
    with pytest.raises(InvalidSignatureError, match="missing"):
        verify(body, None, psp_shop.webhook_secret)
    with pytest.raises(ValueError, match="PSP_WEBHOOK_SECRET"):
        verify(body, header, "")


def test_verify_accepts_a_secret_with_a_line_end(psp_shop: Shop) -> None:
    body = json.dumps({"id": "evt_1", "data": {"customer": "Ёжик ₽"}}, ensure_ascii=False).encode()
    v2 = hmac.new(b"whs_1", b"100." + body, hashlib.sha256).hexdigest()
    assert verify(body, f"t=100, v2={v2}", "whs_1\r\n", now=100)["id"] == "evt_1"


def test_the_acts_of_buyer_and_bank_are_final_at_once(psp_shop: Shop) -> None:
    payments = psp_shop.payments
    declined = payments.decline(payments.create(100)["payment"]["id"], "insufficient_funds")
    assert (declined["status"], declined["metadata"]["failure_code"]) == ("failed", "insufficient_funds")
    assert payments.expire(payments.create(100)["payment"]["id"])["status"] == "expired"
    cancelled = payments.create(100)["payment"]["id"]
    payments.cancel(cancelled)
    assert payments.get(cancelled)["status"] == "cancelled"
    paid = payments.pay(payments.create(100)["payment"]["id"], "cards")
    refund = payments.refund(paid["id"], 40, reason="damaged")
    if refund["status"] == "pending":
        psp_shop.refunds.settle(refund["id"], "succeeded")
    assert payments.get(paid["id"])["amount_refunded"] == 40


def test_a_payout_is_settled_as_failed(psp_shop: Shop) -> None:
    payout = psp_shop.payouts.create(100, "+79161234567", "100000000111", outcome="pending")["payout"]
    assert psp_shop.payouts.settle(payout["id"], "failed", "recipient_not_found")["status"] == "failed"
    assert psp_shop.payouts.get(payout["id"])["fail_reason"] == "recipient_not_found"
    psp_shop.wait_for("payout.failed", {"amount": 100, "recipient.bank_id": "100000000111"})


def test_a_rule_and_an_idempotency_key_decide_the_response(psp_shop: Shop) -> None:
    psp_shop.rules.add(["failed:call_issuer", "succeeded"], {"order_id": "A-*"})
    first = psp_shop.payments.create(100, order_id="A-1", idempotency_key="k")
    again = psp_shop.payments.create(100, order_id="A-1", idempotency_key="k")
    assert (first["simulator"], again["idempotent"]) == ("failed", True)
    assert psp_shop.payments.create(100, order_id="A-2")["simulator"] == "succeeded"
    [rule] = psp_shop.rules.list()
    assert rule["applied"] == 2
    psp_shop.rules.clear()
    assert psp_shop.rules.list() == []


def test_a_shop_sees_neither_objects_nor_faults_of_another(psp: Sandbox) -> None:
    one, other = psp.shop(), psp.shop(name="Other", require_signature=True)
    one.faults.add("api", "status:503", times=1)
    assert other.payments.create(100)["payment"]["shop_name"] == "Other"
    with pytest.raises(ApiError) as failed:
        one.payments.create(100)
    assert failed.value.status == 503
    assert other.events() == []
    other.faults.clear()
    assert [fault["fault"] for fault in one.faults.list()] == ["status:503"]
    one.faults.clear()
    assert one.faults.list() == []


def test_an_event_that_does_not_happen_is_explained(psp: Sandbox) -> None:
    shop = psp.shop()
    shop.payments.decline(shop.payments.create(100, order_id="C-1")["payment"]["id"])
    with pytest.raises(WaitTimeoutError) as failed:
        shop.wait_for("payment.succeeded", {"order_id": "C-2"}, timeout=0.1)
    message = str(failed.value)
    assert 'payment.succeeded with order_id "C-2" did not happen within 100ms.' in message
    assert 'payment.failed  order_id "C-1"' in message
    with pytest.raises(ApiError, match="payment.succeeded"):
        shop.wait_for("payment.suceeded")


def test_the_clock_moves_forwards(psp: Sandbox) -> None:
    before = psp.clock.now()
    psp.clock.freeze()
    psp.clock.advance("20m")
    assert psp.clock.now() > before
    psp.clock.resume()


def test_an_async_shop_has_the_same_methods(psp_shop_async: AsyncShop) -> None:
    import asyncio

    async def run() -> str:
        await psp_shop_async.rules.add("succeeded", times=1)
        assert [rule["times"] for rule in await psp_shop_async.rules.list()] == [1]
        created = await psp_shop_async.payments.create(100, order_id="A-1")
        await psp_shop_async.payments.pay(created["payment"]["id"])
        event = await psp_shop_async.wait_for("payment.succeeded", {"order_id": "A-1"})
        return str(event["data"]["status"])

    assert asyncio.run(run()) == "succeeded"
