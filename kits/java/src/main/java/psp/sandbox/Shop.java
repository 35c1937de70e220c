package psp.sandbox;

import com.google.gson.JsonObject;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import psp.sandbox.Operations.Clock;
import psp.sandbox.Operations.Faults;
import psp.sandbox.Operations.Payments;
import psp.sandbox.Operations.Payouts;
import psp.sandbox.Operations.Refunds;
import psp.sandbox.Operations.Rules;
import psp.sandbox.PspException.WaitTimeoutException;
import psp.sandbox.Types.Delivery;
import psp.sandbox.Types.Event;
import psp.sandbox.Types.WaitResult;

/** A shop that other tests do not see. `env()` has the variables that an application needs to use it. */
public record Shop(Sandbox sandbox, String shopId, String apiKey, String signingSecret, String webhookSecret) {
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
        String payload = body == null ? "" : Sandbox.GSON.toJson(fields);
        headers.put("X-PSP-Signature", "sha256=" + Webhook.hmac(signingSecret, payload.getBytes(StandardCharsets.UTF_8)));
        return sandbox.request(method, path, payload, headers, type);
    }

    /** Sends the webhooks of this shop to the URL, signed with `webhookSecret`. Default: every event. */
    public void deliverTo(String url, String... events) {
        Map<String, Object> body = Map.of("url", url, "own_secret", false, "events", events);
        control("POST", "shops/" + shopId + "/endpoints", body, JsonObject.class);
    }

    /** Returns the last 1,000 events of this shop, newest first. */
    public List<Event> events() {
        return events(Map.of());
    }

    /** Returns the last 1,000 events of this shop that match, newest first. */
    public List<Event> events(Map<String, String> filters) {
        return list("events", filters, Event.class);
    }

    /** Returns the last 1,000 deliveries of this shop, newest first, each with its attempts. */
    public List<Delivery> deliveries() {
        return deliveries(Map.of());
    }

    /** Returns the last 1,000 deliveries of this shop that match, newest first, each with its attempts. */
    public List<Delivery> deliveries(Map<String, String> filters) {
        return list("deliveries", filters, Delivery.class);
    }

    /** Waits 5 s. */
    public Event waitFor(String event, Map<String, ?> where) {
        return waitFor(event, where, Duration.ofSeconds(5));
    }

    /**
     * Returns the first matching event, past or future, after the first attempt of each of its webhooks.
     *
     * @param where fields of the object or event, {"order_id": "A-1", "metadata.cart": 7}
     */
    public Event waitFor(String event, Map<String, ?> where, Duration timeout) {
        Map<String, Object> body = Map.of("event", event, "where", where, "timeout", timeout.toMillis() + "ms");
        String path = "/_psp/shops/" + shopId + "/wait";
        WaitResult result = sandbox.request("POST", path, body, Map.of(), WaitResult.class, timeout.plusMinutes(1));
        if (result.event() == null) throw new WaitTimeoutException(result.message());
        return result.event();
    }

    <T> List<T> list(String path, Map<String, String> filters, Class<T> type) {
        StringBuilder query = new StringBuilder("?limit=1000&shop_id=" + shopId);
        filters.forEach((name, value) -> query.append("&").append(name).append("=").append(URLEncoder.encode(value, StandardCharsets.UTF_8)));
        JsonObject page = control("GET", path + query, null, JsonObject.class);
        return page.getAsJsonArray("items").asList().stream().map(item -> Sandbox.GSON.fromJson(item, type)).toList();
    }

    /** Acts as buyer or bank on an object, with the optional field if it has a value. */
    <T> T act(String object, Class<T> type, Map<String, ?> body, String field, String... value) {
        return control("POST", object + "/act", value.length == 0 ? body : Operations.with(body, field, value[0]), type);
    }

    /** Adds a rule or a fault. 0 times is without a limit. */
    <T> T add(String kind, Map<String, ?> fields, Map<String, ?> match, int times, Class<T> type) {
        Map<String, Object> body = Operations.with(fields, "match", Operations.with(match, "shop_id", shopId));
        return control("POST", kind, times == 0 ? body : Operations.with(body, "times", times), type);
    }

    <T> T control(String method, String path, Map<String, ?> body, Class<T> type) {
        return sandbox.request(method, "/_psp/" + path, body, Map.of(), type);
    }
}
