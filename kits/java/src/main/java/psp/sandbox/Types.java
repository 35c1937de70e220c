package psp.sandbox;

import com.google.gson.FieldNamingPolicy;
import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonObject;
import java.util.List;
import java.util.Map;

/** The objects of the API, with the fields that tests use. Amounts are in minor units, times in RFC 3339. */
public final class Types {
    static final Gson GSON =
            new GsonBuilder().setFieldNamingPolicy(FieldNamingPolicy.LOWER_CASE_WITH_UNDERSCORES).disableHtmlEscaping().create();

    private Types() {}

    public record Payment(
            String id,
            String shopId,
            String shopName,
            String orderId,
            long amount,
            long amountRefunded,
            String currency,
            String method,
            String status,
            String createdAt,
            String finalizedAt,
            String expiresAt,
            Map<String, String> metadata,
            List<Refund> refunds) {}

    /** The response to the creation of a payment. */
    public record CreatedPayment(Payment payment, String paymentUrl, boolean idempotent, String simulator, String failureCode) {}

    public record Refund(String id, String paymentId, long amount, String reason, String status) {}

    public record Payout(String id, long amount, String currency, String status, String failReason) {}

    /** The response to the creation of a payout. */
    public record CreatedPayout(Payout payout, boolean idempotent, String simulator, String failureReason) {}

    /** A webhook message. `data` is the payment or payout at the time of the event, with every field. */
    public record Event(String id, String event, String shopId, String objectId, JsonObject data) {
        /** The payment that the event is about. */
        public Payment payment() {
            return GSON.fromJson(data, Payment.class);
        }

        /** The payout that the event is about. */
        public Payout payout() {
            return GSON.fromJson(data, Payout.class);
        }
    }

    /** An event on its way to one URL, with its attempts. */
    public record Delivery(String id, String eventId, String url, String status, List<Attempt> attempts) {}

    /** One webhook request. `status` is null if there was no response. */
    public record Attempt(int number, Integer status, String error) {}

    /** A rule or a fault, with how often it matched and applied. */
    public record Counted(String id, Map<String, Object> match, int matched, int applied) {}
}
