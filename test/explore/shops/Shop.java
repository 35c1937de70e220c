// A shop in Java that keeps its orders in memory. The system variable BUG plants one bug.

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.regex.Pattern;

public class Shop {
    record Payment(String order, long amount, long refunded, String status) {}

    static final String BUG = System.getenv().getOrDefault("BUG", "");
    static final Map<String, Integer> RANK =
            Map.of("failed", 1, "expired", 1, "cancelled", 1, "succeeded", 2, "refunded", 3);
    static final Map<String, Payment> payments = new LinkedHashMap<>();
    static final Map<String, Long> paidOut = new HashMap<>();
    static final Set<String> seen = new HashSet<>();
    static String newestOrder = "";

    static synchronized int apply(String json) {
        boolean isKnown = !seen.add(text(json, "id"));
        if (BUG.equals("responds 409 to a known event") && isKnown) return 409;
        String name = text(json, "event");
        String data = json.substring(json.indexOf("\"data\""));
        String id = text(data, "id");
        if (name.startsWith("payout.")) {
            if (name.equals("payout.succeeded")) paidOut.put(id, number(data, "amount"));
            return 200;
        }
        String order = text(data, "order_id");
        Payment known = payments.get(id);
        if (BUG.equals("refunds the newest order") && name.equals("payment.refunded")) order = newestOrder;
        else newestOrder = order;
        long refunded = number(data, "amount_refunded");
        if (BUG.equals("rounds refunds to whole roubles")) refunded = refunded / 100 * 100;
        if (known != null) refunded = Math.max(known.refunded(), refunded);
        String status = text(data, "status");
        if (known != null && RANK.get(known.status()) >= RANK.get(status)) status = known.status();
        payments.put(id, new Payment(order, number(data, "amount"), refunded, status));
        return 200;
    }

    /** Returns the value of `orders/{order_id}`, or null if the order is unknown. */
    static synchronized String view(String order) {
        long received = 0;
        long refunded = 0;
        boolean isKnown = false;
        boolean isOpen = false;
        for (Payment payment : payments.values()) {
            if (!payment.order().equals(order)) continue;
            isKnown = true;
            if (RANK.get(payment.status()) == 1) continue;
            received += payment.amount();
            refunded += payment.refunded();
            isOpen |= payment.refunded() < payment.amount();
        }
        if (!isKnown) return null;
        String status = received == 0 ? "open" : !isOpen ? "refunded" : refunded > 0 ? "partly_refunded" : "paid";
        return "{\"status\":\"%s\",\"received\":%d,\"refunded\":%d}".formatted(status, received, refunded);
    }

    static synchronized String balance() {
        long sum = 0;
        for (Payment payment : payments.values())
            if (RANK.get(payment.status()) > 1) sum += payment.amount() - payment.refunded();
        for (long amount : paidOut.values()) sum -= amount;
        return "{\"balance\":%d}".formatted(sum);
    }

    static String text(String json, String name) {
        var found = Pattern.compile("\"" + name + "\":\"([^\"]*)\"").matcher(json);
        return found.find() ? found.group(1) : "";
    }

    static long number(String json, String name) {
        var found = Pattern.compile("\"" + name + "\":(\\d+)").matcher(json);
        return found.find() ? Long.parseLong(found.group(1)) : 0;
    }

    static void respond(HttpExchange exchange, int status, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    public static void main(String[] args) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
        server.setExecutor(Executors.newFixedThreadPool(16));
        server.createContext("/hooks", exchange -> {
            String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            respond(exchange, apply(body), "");
        });
        server.createContext("/orders/", exchange -> {
            String value = view(exchange.getRequestURI().getPath().substring("/orders/".length()));
            respond(exchange, value == null ? 404 : 200, value == null ? "" : value);
        });
        server.createContext("/balance", exchange -> respond(exchange, 200, balance()));
        server.start();
        System.out.println("PORT " + server.getAddress().getPort());
    }
}
