package psp.sandbox;

import java.util.List;
import java.util.Map;
import psp.sandbox.Types.Counted;

/** Rules that decide the outcome of this shop's payments, refunds and payouts. */
public final class Rules extends Operations.CountedList {
    Rules(Shop shop) {
        super(shop, "rules");
    }

    /** Adds a rule: add("failed:insufficient_funds", Map.of("order_id", "A-*")). */
    public Counted add(String plan, Map<String, ?> match) {
        return add(plan, match, 0);
    }

    /** Adds a rule that applies this number of times. */
    public Counted add(String plan, Map<String, ?> match, int times) {
        return post(Map.of("plan", plan), match, times);
    }

    /** Adds a rule with a plan for each of consecutive objects. */
    public Counted add(List<String> plans, Map<String, ?> match) {
        return post(Map.of("plan", plans), match, 0);
    }
}
