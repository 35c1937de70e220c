"""The orders of the example shops. A signed webhook changes an order, and each event counts once."""

import json
import threading
import urllib.request
from typing import Any, Mapping

STATUS = {
    "payment.succeeded": "paid",
    "payment.failed": "failed",
    "payment.expired": "expired",
    "payment.cancelled": "cancelled",
}


class Orders:
    def __init__(self, env: Mapping[str, str]) -> None:
        self._url = env["PSP_URL"]
        self._key = env["PSP_API_KEY"]
        self._lock = threading.Lock()
        self._orders: dict[str, dict[str, Any]] = {}
        self._seen: set[str] = set()

    def place(self, order_id: str, amount: int) -> dict[str, Any]:
        """Creates the payment of an order. A repeated call returns the same payment."""
        with self._lock:
            order = self._orders.setdefault(order_id, {"id": order_id, "status": "pending", "paid": 0, "webhooks": 0})
        request = urllib.request.Request(
            f"{self._url}/v1/public/payments",
            json.dumps({"amount": amount, "order_id": order_id}).encode(),
            {"Authorization": f"Bearer {self._key}", "Content-Type": "application/json", "Idempotency-Key": order_id},
        )
        with urllib.request.urlopen(request, timeout=30) as response:
            created = json.load(response)
        order.update(payment_id=created["payment"]["id"], payment_url=created["payment_url"])
        return order

    def take(self, event: dict[str, Any]) -> None:
        """Applies a webhook. A second copy of an event changes nothing."""
        with self._lock:
            order = self._orders.get(event["data"].get("order_id", ""))
            if order is None:
                return
            order["webhooks"] += 1
            if event["id"] in self._seen:
                return
            self._seen.add(event["id"])
            order["status"] = STATUS.get(event["event"], order["status"])
            if event["event"] == "payment.succeeded":
                order["paid"] += event["data"]["amount"]

    def get(self, order_id: str) -> dict[str, Any]:
        return self._orders[order_id]
