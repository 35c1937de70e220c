package psp.sandbox;

import com.google.gson.JsonObject;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import psp.sandbox.Types.Counted;

/** Operations on the objects of one kind. */
abstract class Operations<T> {
    final Shop shop;
    final String kind;
    private final Class<T> type;

    Operations(Shop shop, String kind, Class<T> type) {
        this.shop = shop;
        this.kind = kind;
        this.type = type;
    }

    T act(String id, Map<String, String> body) {
        return shop.sandbox().request("POST", "/_psp/" + kind + "/" + id + "/act", body, Map.of(), type);
    }

    static Map<String, Object> with(Map<String, ?> fields, String name, Object value) {
        Map<String, Object> all = new HashMap<>(fields);
        all.put(name, value);
        return all;
    }

    /** Objects that the bank settles. */
    abstract static class Settled<T> extends Operations<T> {
        Settled(Shop shop, String kind, Class<T> type) {
            super(shop, kind, type);
        }

        /** Settles a pending one as the bank. */
        public T settle(String id, String status) {
            return act(id, Map.of("action", "settle", "status", status));
        }

        /** Settles a pending one as the bank, with a failure code. */
        public T settle(String id, String status, String failureCode) {
            return act(id, Map.of("action", "settle", "status", status, "failure_code", failureCode));
        }
    }

    /** Rules or faults, which apply a limited number of times. */
    abstract static class CountedList extends Operations<Counted> {
        CountedList(Shop shop, String kind) {
            super(shop, kind, Counted.class);
        }

        /** Returns those of this shop, newest first. */
        public List<Counted> list() {
            List<Counted> all = shop.sandbox().list("/_psp/" + kind + "?limit=1000", Counted.class);
            return all.stream().filter(one -> one.match() != null && shop.shopId().equals(one.match().get("shop_id"))).toList();
        }

        /** Removes one by its id. */
        public void remove(String id) {
            shop.sandbox().request("DELETE", "/_psp/" + kind + "/" + id, null, Map.of(), JsonObject.class);
        }

        /** Removes those of this shop. */
        public void clear() {
            list().forEach(one -> remove(one.id()));
        }

        /** Adds one. 0 times is without a limit. */
        Counted post(Map<String, ?> fields, Map<String, ?> match, int times) {
            Map<String, Object> body = with(fields, "match", with(match, "shop_id", shop.shopId()));
            if (times > 0) body.put("times", times);
            return shop.sandbox().request("POST", "/_psp/" + kind, body, Map.of(), Counted.class);
        }
    }
}
