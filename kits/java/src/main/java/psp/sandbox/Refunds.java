package psp.sandbox;

import java.util.Map;
import psp.sandbox.Types.Refund;

/** The act of the bank on refunds. `Payments.refund` creates them. */
public final class Refunds {
    private final Shop shop;

    Refunds(Shop shop) {
        this.shop = shop;
    }

    /** Settles a pending refund as the bank. */
    public Refund settle(String id, String status) {
        return act(id, Map.of("action", "settle", "status", status));
    }

    /** Settles a pending refund as the bank, with a failure code. */
    public Refund settle(String id, String status, String failureCode) {
        return act(id, Map.of("action", "settle", "status", status, "failure_code", failureCode));
    }

    private Refund act(String id, Map<String, String> body) {
        return shop.sandbox.request("POST", "/_psp/refunds/" + id + "/act", body, Map.of(), Refund.class);
    }
}
