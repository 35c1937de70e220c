package psp.sandbox;

import psp.sandbox.Types.Refund;

/** The act of the bank on refunds. `Payments.refund` creates them. */
public final class Refunds extends Operations.Settled<Refund> {
    Refunds(Shop shop) {
        super(shop, "refunds", Refund.class);
    }
}
