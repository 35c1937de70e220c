package psp.sandbox;

import com.google.gson.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import psp.sandbox.Types.CreatedPayment;
import psp.sandbox.Types.CreatedPayout;
import psp.sandbox.Types.Fault;
import psp.sandbox.Types.Payment;
import psp.sandbox.Types.Payout;
import psp.sandbox.Types.Refund;
import psp.sandbox.Types.Rule;

/** The operations of a shop: clock, payments, payouts, refunds, rules and faults. */
public final class Operations {
    private Operations() {}

    /** The clock of the sandbox. All its shops share it, and it moves forwards only. */
    public record Clock(Sandbox sandbox) {
        /** Returns the time of the sandbox. */
        public Instant now() {
            return Instant.parse(Sandbox.text(sandbox.request("GET", "/_psp/clock", null, Map.of(), JsonObject.class), "now"));
        }

        /** Runs every step that is due within the duration, webhooks included. */
        public void advance(Duration by) {
            sandbox.request("POST", "/_psp/clock/advance", Map.of("by", by.toMillis() + "ms"), Map.of(), JsonObject.class);
        }

        /** Stops the clock. */
        public void freeze() {
            sandbox.request("POST", "/_psp/clock", Map.of("mode", "frozen"), Map.of(), JsonObject.class);
        }

        /** Continues at the speed of the system clock. */
        public void resume() {
            sandbox.request("POST", "/_psp/clock", Map.of("mode", "real"), Map.of(), JsonObject.class);
        }
    }

    /** Payments of the shop, and the acts of buyer and bank on them. */
    public record Payments(Shop shop) {
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

        /** Returns the payment. */
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

        /** Refunds the amount, or for 0 the whole remainder. The fields are reason and idempotency_key. */
        public Refund refund(String id, long amount, Map<String, ?> fields) {
            return shop.request("POST", "/v1/public/payments/" + id + "/refund", with(fields, "amount", amount), Refund.class);
        }

        /** Pays as the buyer, by SBP or another method. The payment is final at once. */
        public Payment pay(String id, String... method) {
            return shop.act("payments/" + id, Payment.class, Map.of("action", "pay"), "method", method);
        }

        /** Declines as the bank, with do_not_honor or another code. The payment is final at once. */
        public Payment decline(String id, String... failureCode) {
            return shop.act("payments/" + id, Payment.class, Map.of("action", "decline"), "failure_code", failureCode);
        }

        /** Expires the payment at once. */
        public Payment expire(String id) {
            return shop.act("payments/" + id, Payment.class, Map.of("action", "expire"), "");
        }
    }

    /** Payouts of the shop, and the act of the bank on them. */
    public record Payouts(Shop shop) {
        /** Creates a payout, in minor units, with the fields of {@link Payments#create(long, Map)}. */
        public CreatedPayout create(long amount, String phone, String bankId, Map<String, ?> fields) {
            Map<String, Object> body = with(with(fields, "phone", phone), "bank_id", bankId);
            return shop.request("POST", "/v1/public/payouts", with(body, "amount", amount), CreatedPayout.class);
        }

        /** Returns the payout. */
        public Payout get(String id) {
            return shop.request("GET", "/v1/public/payouts/" + id, null, Payout.class);
        }

        /** Settles a pending one as the bank: succeeded, or failed with a code. */
        public Payout settle(String id, String status, String... failureCode) {
            return shop.act("payouts/" + id, Payout.class, Map.of("action", "settle", "status", status), "failure_code", failureCode);
        }
    }

    /** The act of the bank on refunds. {@link Payments#refund(String)} creates them. */
    public record Refunds(Shop shop) {
        /** Settles a pending one as the bank: succeeded, or failed with a code. */
        public Refund settle(String id, String status, String... failureCode) {
            return shop.act("refunds/" + id, Refund.class, Map.of("action", "settle", "status", status), "failure_code", failureCode);
        }
    }

    /** Rules that decide the outcome of this shop's payments, refunds and payouts. */
    public record Rules(Shop shop) {
        /** Adds a rule: add("failed:insufficient_funds", Map.of("order_id", "A-*")). A list has plans for consecutive objects. */
        public Rule add(Object plan, Map<String, ?> match) {
            return add(plan, match, 0);
        }

        /** Adds a rule that applies this number of times, or for 0 without a limit. */
        public Rule add(Object plan, Map<String, ?> match, int times) {
            return shop.add("rules", Map.of("plan", plan), match, times, Rule.class);
        }

        /** Returns those of this shop, newest first. */
        public List<Rule> list() {
            return shop.list("rules", Map.of(), Rule.class);
        }

        /** Removes one by its id. */
        public void remove(String id) {
            shop.control("DELETE", "rules/" + id, null, JsonObject.class);
        }

        /** Removes those of this shop. */
        public void clear() {
            shop.control("DELETE", "rules?shop_id=" + shop.shopId(), null, JsonObject.class);
        }
    }

    /** Transport faults between this shop and the service. */
    public record Faults(Shop shop) {
        /** Adds a fault: add("webhook", "duplicate:1", 1). Targets are api, webhook, stream and redirect. */
        public Fault add(String target, String fault, int times) {
            return add(target, fault, Map.of(), times);
        }

        /** Adds a fault for matching requests that applies this number of times, or for 0 without a limit. */
        public Fault add(String target, String fault, Map<String, ?> match, int times) {
            return shop.add("faults", Map.of("target", target, "fault", fault), match, times, Fault.class);
        }

        /** Returns those of this shop, newest first. */
        public List<Fault> list() {
            return shop.list("faults", Map.of(), Fault.class);
        }

        /** Removes one by its id. */
        public void remove(String id) {
            shop.control("DELETE", "faults/" + id, null, JsonObject.class);
        }

        /** Removes those of this shop. */
        public void clear() {
            shop.control("DELETE", "faults?shop_id=" + shop.shopId(), null, JsonObject.class);
        }
    }

    static Map<String, Object> with(Map<String, ?> fields, String name, Object value) {
        Map<String, Object> all = new HashMap<>(fields);
        all.put(name, value);
        return all;
    }
}
