package psp.sandbox;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.gson.JsonObject;
import java.net.URLEncoder;
import java.time.Duration;
import java.util.*;
import psp.sandbox.Operations.*;
import psp.sandbox.Types.*;

/** A shop that other tests do not see. `env` has the variables that an application needs to use it. */
public final class Shop {
    private static final Map<String, String> HEADERS = Map.of("outcome", "X-PSP-Simulate", "idempotency_key", "Idempotency-Key");

    public final Sandbox sandbox;
    public final Clock clock;
    public final String url;
    public final String shopId;
    public final String apiKey;
    public final String signingSecret;
    public final String webhookSecret;
    public final Map<String, String> env;
    public final Payments payments = new Payments(this, "payments", Payment.class);
    public final Payouts payouts = new Payouts(this, "payouts", Payout.class);
    public final Refunds refunds = new Refunds(this, "refunds", Refund.class);
    public final Rules rules = new Rules(this, "rules", Rule.class);
    public final Faults faults = new Faults(this, "faults", Fault.class);

    Shop(Sandbox sandbox, CreatedShop created) {
        this.sandbox = sandbox;
        clock = sandbox.clock;
        url = sandbox.url;
        shopId = created.shopId();
        apiKey = created.apiKey();
        signingSecret = created.signingSecret();
        webhookSecret = created.webhookSecret();
        env = Map.of("PSP_URL", url, "PSP_API_KEY", apiKey, "PSP_SIGNING_SECRET", signingSecret, "PSP_WEBHOOK_SECRET", webhookSecret);
    }

    /**
     * Sends a signed request of this shop to the public API.
     *
     * @param body or null; its fields outcome and idempotency_key are sent as headers
     */
    public <T> T request(String method, String path, Map<String, ?> body, Class<T> type) {
        Map<String, String> headers = new HashMap<>(Map.of("Authorization", "Bearer " + apiKey));
        Map<String, Object> fields = given(body == null ? Map.of() : body);
        HEADERS.forEach((field, name) -> Optional.ofNullable(fields.remove(field)).ifPresent(value -> headers.put(name, value.toString())));
        String payload = body == null ? "" : Sandbox.GSON.toJson(fields);
        headers.put("X-PSP-Signature", "sha256=" + Webhook.hmac(signingSecret, payload.getBytes(UTF_8)));
        return sandbox.request(method, path, payload, headers, type);
    }

    /** Sends the webhooks of this shop to the URL, signed with `webhookSecret`. Default: every event. */
    public void deliverTo(String url, String... events) {
        sandbox.control("POST", "shops/" + shopId + "/endpoints", Map.of("url", url, "own_secret", false, "events", events), Object.class);
    }

    /** Returns the last 1,000 events of this shop, newest first. */
    public List<Event> events(Map<?, ?>... filters) {
        return list("events", Event.class, filters);
    }

    /** Returns the last 1,000 deliveries of this shop, newest first, each with its attempts. */
    public List<Delivery> deliveries(Map<?, ?>... filters) {
        return list("deliveries", Delivery.class, filters);
    }

    /**
     * Returns the first matching event, past or future, after the first attempt of each of its webhooks.
     *
     * @param where fields of the event or of its object, such as {"order_id": "A-1", "metadata.cart": 7}
     * @param timeout 5 s by default
     */
    public Event waitFor(String event, Map<?, ?> where, Duration... timeout) {
        Duration limit = first(Duration.ofSeconds(5), timeout);
        Map<String, Object> body = Map.of("event", event, "where", where, "timeout", limit.toMillis() + "ms");
        WaitResult result = sandbox.control("POST", "shops/" + shopId + "/wait", body, WaitResult.class, limit.plusMinutes(1));
        if (result.event() == null) throw new PspException.WaitTimeoutException(result.message());
        return result.event();
    }

    <T> List<T> list(String path, Class<T> type, Map<?, ?>... filters) {
        StringBuilder query = new StringBuilder("?limit=1000&shop_id=" + shopId);
        first(Map.of(), filters).forEach((name, value) -> query.append("&" + name + "=" + URLEncoder.encode(value.toString(), UTF_8)));
        JsonObject page = sandbox.control("GET", path + query, null, JsonObject.class);
        return page.getAsJsonArray("items").asList().stream().map(item -> Sandbox.GSON.fromJson(item, type)).toList();
    }

    /** Acts as buyer or bank on an object. */
    <T> T act(Operations<T> objects, String id, Object... fields) {
        return sandbox.control("POST", objects.kind() + "/" + id + "/act", given(Map.of(), fields), objects.type());
    }

    /** Adds a rule or a fault for matching objects of this shop. */
    <T> T add(Counted<T> objects, Map<?, ?> match, Object... fields) {
        return sandbox.control("POST", objects.kind(), given(Map.of("match", given(match, "shop_id", shopId)), fields), objects.type());
    }

    /** Returns a new map with the fields, and with the named values: a name, its value, and so on. */
    static Map<String, Object> given(Map<?, ?> fields, Object... named) {
        Map<String, Object> all = new HashMap<>();
        fields.forEach((name, value) -> all.put(name.toString(), value));
        for (int at = 0; at < named.length; at += 2) all.put(named[at].toString(), named[at + 1]);
        return all;
    }

    /** Returns an optional argument, or the default if it is missing. */
    @SafeVarargs
    static <T> T first(T otherwise, T... given) {
        return given.length == 0 ? otherwise : given[0];
    }
}
