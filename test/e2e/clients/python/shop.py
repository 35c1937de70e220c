"""A shop and its test on clients that openapi-python-client generated. Prints what they saw as JSON."""

import json
import sys

from psp_control.api.shops import create_shop
from psp_control.api.objects import act_on_payment, list_payments, settle_payout
from psp_control.api.sandbox import advance_clock, change_settings, set_clock
from psp_control.api.simulator import create_fault, create_rule, delete_rule
from psp_control.client import Client
from psp_control.models import (
    AdvanceClock,
    ApiError as ControlError,
    ChangeSettings,
    CreateFault,
    CreateFaultMatch,
    CreateRule,
    CreateShop,
    FaultTarget,
    FrozenClock,
    PayAct,
    PageMethod,
    SettlePayout,
    SettlePayoutAction,
    SettlePayoutStatus,
)
from psp_public.api.banks import list_banks
from psp_public.api.payments import cancel_payment, create_payment, get_payment, refund_payment
from psp_public.api.payouts import create_payout
from psp_public.client import AuthenticatedClient
from psp_public.models import (
    ApiError,
    CreatePayment,
    CreatePaymentMetadata,
    CreatePayout,
    CreateRefund,
    PaymentMethod,
    PaymentStatusChangedMessage,
)

url, key, message = sys.argv[1:]
shop = AuthenticatedClient(base_url=url, token=key)
control = Client(base_url=url)

metadata = CreatePaymentMetadata()
metadata["cart"] = "7"
order = CreatePayment(amount=150_000, method=PaymentMethod.SBP, metadata=metadata)
made = create_payment.sync(client=shop, body=order, idempotency_key="python")
again = create_payment.sync(client=shop, body=order, idempotency_key="python")
refused = refund_payment.sync(made.payment.id, client=shop, body=CreateRefund())
assert isinstance(refused, ApiError)
act_on_payment.sync(made.payment.id, client=control, body=PayAct(action="pay", method=PageMethod.SBP))
paid = get_payment.sync(made.payment.id, client=shop)
refund = refund_payment.sync(made.payment.id, client=shop, body=CreateRefund(amount=50_000))
other = create_payment.sync(client=shop, body=CreatePayment(amount=100))
cancelled = cancel_payment.sync(other.payment.id, client=shop)
payout = create_payout.sync(client=shop, body=CreatePayout(amount=100, phone="+79991234567", bank_id="100000000111"))
settled = settle_payout.sync(
    payout.payout.id,
    client=control,
    body=SettlePayout(action=SettlePayoutAction.SETTLE, status=SettlePayoutStatus.SUCCEEDED),
)

clock = set_clock.sync(client=control, body=FrozenClock(mode="frozen"))
advanced = advance_clock.sync(client=control, body=AdvanceClock(by="20m"))
settings = change_settings.sync(client=control, body=ChangeSettings.from_dict({"delays.bank": "2s"}))
match = CreateFaultMatch()
match["order_id"] = "A-*"
fault = create_fault.sync(client=control, body=CreateFault(target=FaultTarget.API, fault="status:503", match=match))
rule = create_rule.sync(client=control, body=CreateRule(plan=["failed:call_issuer", "succeeded"]))
gone = delete_rule.sync("none", client=control)
assert isinstance(gone, ControlError)
new_shop = create_shop.sync(client=control, body=CreateShop(name="Python"))
page = list_payments.sync(client=control, limit=1)
event = PaymentStatusChangedMessage.from_dict(json.loads(message))

print(
    json.dumps(
        {
            "status": made.payment.status.value,
            "replayed": again.idempotent,
            "refused": refused.error.code.value,
            "paid": paid.status.value,
            "captured": paid.captured_at.year == paid.created_at.year,
            "refunded": refund.amount,
            "cancelled": cancelled.status,
            "banks": len(list_banks.sync(client=shop).items),
            "payout": settled.status.value,
            "clock": clock.mode.value,
            "advanced": (advanced.now - clock.now).total_seconds(),
            "delay": settings.to_dict()["delays.bank"],
            "fault": fault.match["order_id"],
            "rule": rule.plan,
            "gone": gone.error.code.value,
            "key": new_shop.api_key[:8],
            "listed": len(page.items),
            "message": event.payload.previous_status.value,
        }
    )
)
