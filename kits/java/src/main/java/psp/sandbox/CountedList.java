package psp.sandbox;

import com.google.gson.JsonObject;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import psp.sandbox.Types.Counted;

/** The rules or faults of a shop. */
abstract class CountedList {
    private record Page(List<Counted> items) {}

    private final Shop shop;
    private final String path;

    CountedList(Shop shop, String path) {
        this.shop = shop;
        this.path = path;
    }

    /** Returns those of this shop, newest first. */
    public List<Counted> list() {
        Page page = shop.sandbox.request("GET", path + "?limit=1000", null, Map.of(), Page.class);
        return page.items().stream().filter(one -> one.match() != null && shop.shopId().equals(one.match().get("shop_id"))).toList();
    }

    /** Removes one by its id. */
    public void remove(String id) {
        shop.sandbox.request("DELETE", path + "/" + id, null, Map.of(), JsonObject.class);
    }

    /** Removes those of this shop. */
    public void clear() {
        list().forEach(one -> remove(one.id()));
    }

    /** Adds one. 0 times is without a limit. */
    Counted post(Map<String, ?> fields, Map<String, ?> match, int times) {
        Map<String, Object> body = new HashMap<>(fields);
        body.put("match", Payments.with(match, "shop_id", shop.shopId()));
        if (times > 0) body.put("times", times);
        return shop.sandbox.request("POST", path, body, Map.of(), Counted.class);
    }
}
