package psp.sandbox;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import psp.sandbox.PspException.WaitTimeoutException;
import psp.sandbox.Types.Delivery;
import psp.sandbox.Types.Event;

/** A shop that other tests do not see. `env()` has the variables that an application needs to use it. */
public record Shop(Sandbox sandbox, String shopId, String apiKey, String signingSecret, String webhookSecret) {
    private static final Duration WAIT_TIMEOUT = Duration.ofSeconds(5);
    private static final Duration POLL = Duration.ofMillis(20);
    private static final int SHOWN = 5;
    private static final Map<String, String> HEADERS = Map.of("outcome", "X-PSP-Simulate", "idempotency_key", "Idempotency-Key");

    public String url() {
        return sandbox.url();
    }

    public Map<String, String> env() {
        return Map.of("PSP_URL", url(), "PSP_API_KEY", apiKey, "PSP_SIGNING_SECRET", signingSecret, "PSP_WEBHOOK_SECRET", webhookSecret);
    }

    /** Leaves out the keys, because a failed assertion prints this text. */
    @Override
    public String toString() {
        return "Shop[" + shopId + " at " + url() + "]";
    }

    public Clock clock() {
        return sandbox.clock();
    }

    public Payments payments() {
        return new Payments(this);
    }

    public Payouts payouts() {
        return new Payouts(this);
    }

    public Refunds refunds() {
        return new Refunds(this);
    }

    public Rules rules() {
        return new Rules(this);
    }

    public Faults faults() {
        return new Faults(this);
    }

    /**
     * Sends a signed request of this shop to the public API.
     *
     * @param body or null; its fields outcome and idempotency_key are sent as headers
     */
    public <T> T request(String method, String path, Map<String, ?> body, Class<T> type) {
        Map<String, String> headers = new HashMap<>(Map.of("Authorization", "Bearer " + apiKey));
        Map<String, Object> fields = new HashMap<>(body == null ? Map.of() : body);
        HEADERS.forEach((field, name) -> {
            if (fields.containsKey(field)) headers.put(name, String.valueOf(fields.remove(field)));
        });
        String payload = body == null ? "" : Types.GSON.toJson(fields);
        headers.put("X-PSP-Signature", "sha256=" + Webhook.hmac(signingSecret, payload.getBytes(StandardCharsets.UTF_8)));
        return sandbox.request(method, path, payload, headers, type);
    }

    /** Sends the webhooks of this shop to the URL, signed with `webhookSecret`. Default: every event. */
    public void deliverTo(String url, String... events) {
        Map<String, Object> body = Map.of("url", url, "own_secret", false, "events", events);
        sandbox.request("POST", "/_psp/shops/" + shopId + "/endpoints", body, Map.of(), JsonObject.class);
    }

    /** Returns the last 1,000 events of this shop, newest first. */
    public List<Event> events() {
        return events(Map.of());
    }

    /** Returns the last 1,000 events of this shop that match, newest first. */
    public List<Event> events(Map<String, String> filters) {
        return list("/_psp/events", filters, Event.class);
    }

    /** Returns the last 1,000 deliveries of this shop that match, newest first, each with its attempts. */
    public List<Delivery> deliveries(Map<String, String> filters) {
        return list("/_psp/deliveries", filters, Delivery.class);
    }

    /**
     * Returns the first matching event, past or future, after the first attempt of each of its webhooks. Waits 5 s.
     *
     * @param where fields of the object or event, {"order_id": "A-1", "metadata.cart": 7}
     */
    public Event waitFor(String event, Map<String, ?> where) {
        return waitFor(event, where, WAIT_TIMEOUT);
    }

    /** Waits at most this time. */
    public Event waitFor(String event, Map<String, ?> where, Duration timeout) {
        return waitFor(event, one -> matches(one, where), where.isEmpty() ? "" : " with " + Types.GSON.toJson(where), timeout);
    }

    /** Waits for an event for which the function is true. */
    public Event waitFor(String event, Predicate<Event> where) {
        return waitFor(event, where, "", WAIT_TIMEOUT);
    }

    private Event waitFor(String event, Predicate<Event> where, String described, Duration timeout) {
        long deadline = System.nanoTime() + timeout.toNanos();
        while (true) {
            List<Event> matching = events(Map.of("event", event)).stream().filter(where).toList();
            Event first = matching.isEmpty() ? null : matching.get(matching.size() - 1);
            if (first != null && deliveries(Map.of("event_id", first.id())).stream().noneMatch(Shop::isOpen)) return first;
            if (System.nanoTime() > deadline) throw new WaitTimeoutException(missing(event + described, timeout, first != null));
            LockSupport.parkNanos(POLL.toNanos());
        }
    }

    private <T> List<T> list(String path, Map<String, String> filters, Class<T> type) {
        StringBuilder query = new StringBuilder("?limit=1000&shop_id=" + shopId);
        filters.forEach((name, value) -> query.append("&").append(name).append("=").append(URLEncoder.encode(value, StandardCharsets.UTF_8)));
        return sandbox.list(path + query, type);
    }

    private String missing(String wanted, Duration timeout, boolean happened) {
        String limit = timeout.toMillis() / 1000.0 + " s";
        if (happened) return wanted + " happened, but its webhook got no response within " + limit + ". Check the URL in deliverTo().";
        List<Event> seen = events();
        List<String> lines = new ArrayList<>(List.of(wanted + " did not happen within " + limit + "."));
        lines.add(seen.isEmpty() ? "No event happened." : "Events that happened instead:");
        for (Event one : seen.subList(0, Math.min(SHOWN, seen.size()))) {
            lines.add("  " + one.event() + "  " + (one.data().has("order_id") ? Sandbox.text(one.data(), "order_id") : one.objectId()));
        }
        JsonObject clock = sandbox.request("GET", "/_psp/clock", null, Map.of(), JsonObject.class);
        if (Sandbox.text(clock, "mode").equals("frozen")) {
            lines.add("The clock is frozen: clock().advance(Duration.ofSeconds(10)) runs the next steps.");
        }
        return String.join("\n", lines);
    }

    private static boolean isOpen(Delivery delivery) {
        return delivery.attempts().isEmpty() && !delivery.status().equals("cancelled") && !delivery.status().equals("exhausted");
    }

    /** Returns whether the event has each value, in its object or in itself. */
    private static boolean matches(Event event, Map<String, ?> where) {
        JsonObject fields = Types.GSON.toJsonTree(event).getAsJsonObject();
        event.data().entrySet().forEach(field -> fields.add(field.getKey(), field.getValue()));
        return where.entrySet().stream().allMatch(pair -> {
            JsonElement value = fields;
            for (String name : pair.getKey().split("\\.")) {
                value = value != null && value.isJsonObject() ? value.getAsJsonObject().get(name) : null;
            }
            return value != null && value.isJsonPrimitive() && value.getAsString().equals(String.valueOf(pair.getValue()));
        });
    }
}
