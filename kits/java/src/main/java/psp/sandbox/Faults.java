package psp.sandbox;

import java.util.Map;
import psp.sandbox.Types.Counted;

/** Transport faults between this shop and the service. */
public final class Faults extends Operations.CountedList {
    Faults(Shop shop) {
        super(shop, "faults");
    }

    /** Adds a fault that applies this number of times: add("webhook", "duplicate:1", 1). Targets are api, webhook, stream and redirect. */
    public Counted add(String target, String fault, int times) {
        return add(target, fault, Map.of(), times);
    }

    /** Adds a fault for matching requests. 0 times is without a limit. */
    public Counted add(String target, String fault, Map<String, ?> match, int times) {
        return post(Map.of("target", target, "fault", fault), match, times);
    }
}
