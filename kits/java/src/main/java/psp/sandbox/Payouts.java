package psp.sandbox;

import java.util.HashMap;
import java.util.Map;
import psp.sandbox.Types.CreatedPayout;
import psp.sandbox.Types.Payout;

/** Payouts of the shop, and the act of the bank on them. */
public final class Payouts {
    private final Shop shop;

    Payouts(Shop shop) {
        this.shop = shop;
    }

    /** Creates a payout, in minor units. The fields are the others of the request, outcome and idempotency_key. */
    public CreatedPayout create(long amount, String phone, String bankId, Map<String, ?> fields) {
        Map<String, Object> body = new HashMap<>(fields);
        body.putAll(Map.of("amount", amount, "phone", phone, "bank_id", bankId));
        return shop.request("POST", "/v1/public/payouts", body, CreatedPayout.class);
    }

    public Payout get(String id) {
        return shop.request("GET", "/v1/public/payouts/" + id, null, Payout.class);
    }

    /** Settles a pending payout as the bank. */
    public Payout settle(String id, String status) {
        return act(id, Map.of("action", "settle", "status", status));
    }

    /** Settles a pending payout as the bank, with a failure code. */
    public Payout settle(String id, String status, String failureCode) {
        return act(id, Map.of("action", "settle", "status", status, "failure_code", failureCode));
    }

    private Payout act(String id, Map<String, String> body) {
        return shop.sandbox.request("POST", "/_psp/payouts/" + id + "/act", body, Map.of(), Payout.class);
    }
}
