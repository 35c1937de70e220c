package psp.sandbox;

import static psp.sandbox.Shop.*;

import com.google.gson.JsonObject;
import java.time.*;
import java.util.*;
import psp.sandbox.Types.*;

/** Operations on the objects of one kind. */
public interface Operations<T> {
    Shop shop();

    String kind();

    Class<T> type();

    /** The clock of the sandbox. All shops of the sandbox share it, and a test can move it forwards only. */
    record Clock(Sandbox sandbox) {
        /** Returns the time of the sandbox. */
        public Instant now() {
            return Instant.parse(sandbox.control("GET", "clock", null, JsonObject.class).get("now").getAsString());
        }

        /** Runs every step that is due within the duration, webhooks included. */
        public void advance(Duration by) {
            sandbox.control("POST", "clock/advance", Map.of("by", by.toMillis() + "ms"), Object.class);
        }

        /** Stops the clock. */
        public void freeze() {
            sandbox.control("POST", "clock", Map.of("mode", "frozen"), Object.class);
        }

        /** Continues at the speed of the system clock. */
        public void resume() {
            sandbox.control("POST", "clock", Map.of("mode", "real"), Object.class);
        }
    }

    /** Payments of the shop, and the actions of buyer and bank on them. */
    record Payments(Shop shop, String kind, Class<Payment> type) implements Operations<Payment> {
        /**
         * Creates a payment with an amount in minor units.
         *
         * @param fields the other fields of the request, such as order_id and metadata; outcome is the plan of the
         *     simulator, such as failed:insufficient_funds; idempotency_key is sent as a header
         */
        public CreatedPayment create(long amount, Map<?, ?>... fields) {
            return shop.request("POST", "/v1/public/payments", given(first(Map.of(), fields), "amount", amount), CreatedPayment.class);
        }

        /** Returns the payment. */
        public Payment get(String id) {
            return shop.request("GET", "/v1/public/payments/" + id, null, Payment.class);
        }

        /** Cancels a pending payment. */
        public void cancel(String id) {
            shop.request("POST", "/v1/public/payments/" + id + "/cancel", null, Object.class);
        }

        /** Refunds the amount, or the whole remainder if it is 0. The fields may be reason and idempotency_key. */
        public Refund refund(String id, long amount, Map<?, ?>... fields) {
            return shop.request("POST", "/v1/public/payments/" + id + "/refund", given(first(Map.of(), fields), "amount", amount), Refund.class);
        }

        /** Pays as the buyer, by SBP or another method. The payment is final at once. */
        public Payment pay(String id, String... method) {
            return shop.act(this, id, "action", "pay", "method", first(null, method));
        }

        /** Declines as the bank, with do_not_honor or another code. The payment is final at once. */
        public Payment decline(String id, String... failureCode) {
            return shop.act(this, id, "action", "decline", "failure_code", first(null, failureCode));
        }

        /** Expires the payment at once. */
        public Payment expire(String id) {
            return shop.act(this, id, "action", "expire");
        }
    }

    /** Payouts or refunds, which the bank settles. */
    interface Settled<T> extends Operations<T> {
        /** Settles a pending payout or refund as the bank: succeeded, or failed with a code. */
        default T settle(String id, String status, String... failureCode) {
            return shop().act(this, id, "action", "settle", "status", status, "failure_code", first(null, failureCode));
        }
    }

    /** Payouts of the shop, and the action of the bank on them. */
    record Payouts(Shop shop, String kind, Class<Payout> type) implements Settled<Payout> {
        /** Creates a payout. The amount and the fields are as in {@link Payments#create(long, Map...)}. */
        public CreatedPayout create(long amount, String phone, String bankId, Map<?, ?>... fields) {
            Map<String, Object> body = given(first(Map.of(), fields), "amount", amount, "phone", phone, "bank_id", bankId);
            return shop.request("POST", "/v1/public/payouts", body, CreatedPayout.class);
        }

        /** Returns the payout. */
        public Payout get(String id) {
            return shop.request("GET", "/v1/public/payouts/" + id, null, Payout.class);
        }
    }

    /** The action of the bank on refunds. {@link Payments#refund(String, long, Map...)} creates refunds. */
    record Refunds(Shop shop, String kind, Class<Refund> type) implements Settled<Refund> {}

    /** Rules or faults. {@code times} limits how often one applies. */
    interface Counted<T> extends Operations<T> {
        /** Returns the rules or faults of this shop, newest first. */
        default List<T> list() {
            return shop().list(kind(), type());
        }

        /** Removes the rule or fault with this id. */
        default void remove(String id) {
            shop().sandbox.control("DELETE", kind() + "/" + id, null, Object.class);
        }

        /** Removes all rules or faults of this shop. */
        default void clear() {
            shop().sandbox.control("DELETE", kind() + "?shop_id=" + shop().shopId, null, Object.class);
        }
    }

    /** Rules that decide the outcome of this shop's payments, refunds and payouts. */
    record Rules(Shop shop, String kind, Class<Rule> type) implements Counted<Rule> {
        /**
         * Adds a rule: add("failed:insufficient_funds", Map.of("order_id", "A-*"), 1). Default: no limit.
         *
         * @param plan a plan, or a list of plans for consecutive objects
         */
        public Rule add(Object plan, Map<?, ?> match, Integer... times) {
            return shop.add(this, match, "plan", plan, "times", first(null, times));
        }
    }

    /** Transport faults between this shop and the service. */
    record Faults(Shop shop, String kind, Class<Fault> type) implements Counted<Fault> {
        /** Adds a fault: add("webhook", "duplicate:1", Map.of(), 1). Targets are api, webhook, stream and redirect. */
        public Fault add(String target, String fault, Map<?, ?> match, Integer... times) {
            return shop.add(this, match, "target", target, "fault", fault, "times", first(null, times));
        }
    }
}
