package psp.sandbox;

import com.google.gson.JsonObject;
import java.util.Map;
import psp.sandbox.Types.CreatedPayment;
import psp.sandbox.Types.Payment;
import psp.sandbox.Types.Refund;

/** Payments of the shop, and the acts of buyer and bank on them. */
public final class Payments extends Operations<Payment> {
    Payments(Shop shop) {
        super(shop, "payments", Payment.class);
    }

    /** Creates a payment, in minor units. */
    public CreatedPayment create(long amount) {
        return create(amount, Map.of());
    }

    /**
     * Creates a payment, in minor units.
     *
     * @param fields the others of the request, such as order_id and metadata; outcome is the plan of the simulator, such as
     *     failed:insufficient_funds, and idempotency_key is a header
     */
    public CreatedPayment create(long amount, Map<String, ?> fields) {
        return shop.request("POST", "/v1/public/payments", with(fields, "amount", amount), CreatedPayment.class);
    }

    public Payment get(String id) {
        return shop.request("GET", "/v1/public/payments/" + id, null, Payment.class);
    }

    /** Cancels a pending payment. */
    public void cancel(String id) {
        shop.request("POST", "/v1/public/payments/" + id + "/cancel", null, JsonObject.class);
    }

    /** Refunds the whole remainder. */
    public Refund refund(String id) {
        return refund(id, 0, Map.of());
    }

    /** Refunds the amount. The fields are reason and idempotency_key. */
    public Refund refund(String id, long amount, Map<String, ?> fields) {
        return shop.request("POST", "/v1/public/payments/" + id + "/refund", with(fields, "amount", amount), Refund.class);
    }

    /** Pays as the buyer, by SBP. The payment is final at once. */
    public Payment pay(String id) {
        return pay(id, "sbp");
    }

    /** Pays as the buyer. The payment is final at once. */
    public Payment pay(String id, String method) {
        return act(id, Map.of("action", "pay", "method", method));
    }

    /** Declines as the bank, with do_not_honor. The payment is final at once. */
    public Payment decline(String id) {
        return decline(id, "do_not_honor");
    }

    /** Declines as the bank. The payment is final at once. */
    public Payment decline(String id, String failureCode) {
        return act(id, Map.of("action", "decline", "failure_code", failureCode));
    }

    /** Expires the payment at once. */
    public Payment expire(String id) {
        return act(id, Map.of("action", "expire"));
    }
}
