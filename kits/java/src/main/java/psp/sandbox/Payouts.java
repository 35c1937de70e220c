package psp.sandbox;

import java.util.Map;
import psp.sandbox.Types.CreatedPayout;
import psp.sandbox.Types.Payout;

/** Payouts of the shop, and the act of the bank on them. */
public final class Payouts extends Operations.Settled<Payout> {
    Payouts(Shop shop) {
        super(shop, "payouts", Payout.class);
    }

    /** Creates a payout, in minor units. The fields are those of {@link Payments#create(long, Map)}. */
    public CreatedPayout create(long amount, String phone, String bankId, Map<String, ?> fields) {
        Map<String, Object> body = with(with(fields, "phone", phone), "bank_id", bankId);
        return shop.request("POST", "/v1/public/payouts", with(body, "amount", amount), CreatedPayout.class);
    }

    public Payout get(String id) {
        return shop.request("GET", "/v1/public/payouts/" + id, null, Payout.class);
    }
}
