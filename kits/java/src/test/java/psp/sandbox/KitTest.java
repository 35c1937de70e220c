package psp.sandbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import psp.sandbox.Operations.Clock;
import psp.sandbox.Operations.Payments;
import psp.sandbox.PspException.ApiException;
import psp.sandbox.PspException.InvalidSignatureException;
import psp.sandbox.PspException.WaitTimeoutException;
import psp.sandbox.Types.CreatedPayment;
import psp.sandbox.Types.Event;
import psp.sandbox.Types.Payment;
import psp.sandbox.Types.Payout;
import psp.sandbox.Types.Refund;

/** Tests of the interface against the real executable. */
@ExtendWith(PspExtension.class)
class KitTest {
    private record Received(byte[] body, String header) {}

    @Test
    void verifyAcceptsTheWebhookOfAPaidPayment(Shop shop) throws Exception {
        BlockingQueue<Received> webhooks = new LinkedBlockingQueue<>();
        HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
        server.createContext("/", exchange -> {
            webhooks.add(new Received(exchange.getRequestBody().readAllBytes(), exchange.getRequestHeaders().getFirst("X-PSP-Signature")));
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        server.start();
        shop.deliverTo("http://127.0.0.1:" + server.getAddress().getPort());
        Map<String, ?> fields = Map.of("order_id", "A-1", "metadata", Map.of("cart", "7", "name", "Ёжик ₽"));
        CreatedPayment created = shop.payments.create(15_000, fields);
        assertEquals("succeeded", shop.payments.pay(created.payment().id()).status());
        Event event = shop.waitFor("payment.succeeded", Map.of("metadata.cart", 7, "amount_refunded", 0));
        server.stop(0);
        Received got = webhooks.take();
        Event message = Webhook.verify(got.body, got.header, shop.webhookSecret + "\r\n");
        assertEquals(event.id(), message.id());
        assertEquals("A-1", message.payment().orderId());
        assertEquals("Ёжик ₽", message.payment().metadata().get("name"));
        byte[] longer = (new String(got.body, "UTF-8") + " ").getBytes("UTF-8");
        assertRejects("does not match", longer, got.header, shop, Instant.now());
        assertRejects("more than 300 s", got.body, got.header, shop, Instant.now().plusSeconds(302));
        assertRejects("missing", got.body, null, shop, Instant.now());
        assertContains("PSP_WEBHOOK_SECRET", assertThrows(IllegalArgumentException.class, () -> Webhook.verify(got.body, got.header, "")));
    }

    @Test
    void theActsOfBuyerAndBankAreFinalAtOnce(Shop shop) {
        Payments payments = shop.payments;
        Payment declined = payments.decline(payments.create(100).payment().id(), "insufficient_funds");
        assertEquals("failed insufficient_funds", declined.status() + " " + declined.metadata().get("failure_code"));
        assertEquals("expired", payments.expire(payments.create(100).payment().id()).status());
        String cancelled = payments.create(100).payment().id();
        payments.cancel(cancelled);
        assertEquals("cancelled", payments.get(cancelled).status());
        Payment paid = payments.pay(payments.create(100).payment().id(), "cards");
        Refund refund = payments.refund(paid.id(), 40, Map.of("reason", "damaged"));
        if (refund.status().equals("pending")) shop.refunds.settle(refund.id(), "succeeded");
        assertEquals(40, payments.get(paid.id()).amountRefunded());
    }

    @Test
    void theTextOfAShopHasNoKeys(Shop shop) {
        for (String key : List.of(shop.apiKey, shop.signingSecret, shop.webhookSecret)) {
            assertFalse((shop + " " + shop.payments).contains(key));
        }
    }

    @Test
    void aPayoutIsSettledAsFailed(Shop shop) {
        Payout payout = shop.payouts.create(100, "+79161234567", "100000000111", Map.of("outcome", "pending")).payout();
        assertEquals("failed", shop.payouts.settle(payout.id(), "failed", "recipient_not_found").status());
        assertEquals("recipient_not_found", shop.payouts.get(payout.id()).failReason());
        assertEquals(payout.id(), shop.waitFor("payout.failed", Map.of("amount", 100, "recipient.bank_id", "100000000111")).objectId());
    }

    @Test
    void aRuleAndAnIdempotencyKeyDecideTheResponse(Shop shop) {
        shop.rules.add(List.of("failed:call_issuer", "succeeded"), Map.of("order_id", "A-*"));
        CreatedPayment first = shop.payments.create(100, Map.of("order_id", "A-1", "idempotency_key", "k"));
        CreatedPayment again = shop.payments.create(100, Map.of("order_id", "A-1", "idempotency_key", "k"));
        assertEquals("failed true", first.simulator() + " " + again.idempotent());
        assertEquals("succeeded", shop.payments.create(100, Map.of("order_id", "A-2")).simulator());
        assertEquals(2, shop.rules.list().get(0).applied());
        shop.rules.clear();
        assertEquals(List.of(), shop.rules.list());
    }

    @Test
    void aShopSeesNeitherObjectsNorFaultsOfAnother(Shop one, Sandbox sandbox) {
        Shop other = sandbox.shop(Map.of("name", "Other", "require_signature", true));
        one.faults.add("api", "status:503", Map.of(), 1);
        assertEquals("Other", other.payments.create(100).payment().shopName());
        assertEquals(503, assertThrows(ApiException.class, () -> one.payments.create(100)).status);
        assertEquals(List.of(), other.events());
        other.faults.clear();
        assertEquals("status:503", one.faults.list().get(0).fault());
        one.faults.clear();
        assertEquals(List.of(), one.faults.list());
    }

    @Test
    void anEventThatDoesNotHappenIsExplained(Shop shop) {
        shop.payments.decline(shop.payments.create(100, Map.of("order_id", "C-1")).payment().id());
        Exception error = assertThrows(
                WaitTimeoutException.class,
                () -> shop.waitFor("payment.succeeded", Map.of("order_id", "C-2"), Duration.ofMillis(100)));
        assertContains("payment.succeeded with order_id \"C-2\" did not happen within 100ms.", error);
        assertContains("payment.failed  order_id \"C-1\"", error);
        assertContains("payment.succeeded", assertThrows(ApiException.class, () -> shop.waitFor("payment.suceeded", Map.of())));
    }

    @Test
    void theClockMovesForwards(Shop shop) {
        Clock clock = shop.clock;
        Instant before = clock.now();
        clock.freeze();
        clock.advance(Duration.ofMinutes(20));
        assertFalse(clock.now().isBefore(before.plus(Duration.ofMinutes(20))));
        clock.resume();
    }

    private static void assertRejects(String text, byte[] body, String header, Shop shop, Instant now) {
        assertContains(text, assertThrows(InvalidSignatureException.class, () -> Webhook.verify(body, header, shop.webhookSecret, now)));
    }

    static void assertContains(String part, Exception error) {
        assertTrue(error.getMessage().contains(part), error.getMessage());
    }
}
