import com.google.gson.Gson;
import com.google.gson.JsonObject;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executors;
import psp.sandbox.PspException.InvalidSignatureException;
import psp.sandbox.Types.Event;
import psp.sandbox.Webhook;

/** A shop on the HttpServer of the JDK. A signed webhook changes an order, and each event counts once. */
public final class ExampleShop implements AutoCloseable {
    public static final class Order {
        public String id;
        public long amount;
        public String status = "pending";
        public long paid;
        public int webhooks;
        public String payment_id;
        public String payment_url;
    }

    private static final Map<String, String> STATUS = Map.of(
            "payment.succeeded", "paid", "payment.failed", "failed", "payment.expired", "expired", "payment.cancelled", "cancelled");
    private static final Gson GSON = new Gson();

    private final HttpClient client = HttpClient.newHttpClient();
    private final Map<String, String> env;
    private final HttpServer server;
    private final Map<String, Order> orders = new HashMap<>();
    private final Set<String> seen = new HashSet<>();

    /** Starts the shop. The environment has PSP_URL, PSP_API_KEY and PSP_WEBHOOK_SECRET. */
    public ExampleShop(Map<String, String> env, int port) throws IOException {
        this.env = env;
        server = HttpServer.create(new InetSocketAddress("127.0.0.1", port), 0);
        server.setExecutor(Executors.newCachedThreadPool(task -> {
            Thread thread = new Thread(task);
            thread.setDaemon(true);
            return thread;
        }));
        server.createContext("/orders", this::orders);
        server.createContext("/hooks", this::hooks);
        server.start();
    }

    /** Runs the shop with the variables of psp, and PORT or a free port. */
    public static void main(String[] args) throws IOException, InterruptedException {
        int port = Integer.parseInt(System.getenv().getOrDefault("PORT", "0"));
        System.out.println(new ExampleShop(System.getenv(), port).url());
        Thread.currentThread().join();
    }

    public String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    @Override
    public void close() {
        server.stop(0);
    }

    private void orders(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        if (exchange.getRequestMethod().equals("POST")) {
            Order order = GSON.fromJson(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8), Order.class);
            respond(exchange, 200, GSON.toJson(place(order)));
            return;
        }
        synchronized (this) {
            Order order = orders.get(path.substring(path.lastIndexOf('/') + 1));
            respond(exchange, order == null ? 404 : 200, GSON.toJson(order));
        }
    }

    /** Creates the payment of an order. A repeated call returns the same payment. */
    private Order place(Order wanted) throws IOException {
        Order order;
        synchronized (this) {
            order = orders.computeIfAbsent(wanted.id, id -> wanted);
        }
        HttpRequest request = HttpRequest.newBuilder(URI.create(env.get("PSP_URL") + "/v1/public/payments"))
                .header("Authorization", "Bearer " + env.get("PSP_API_KEY"))
                .header("Content-Type", "application/json")
                .header("Idempotency-Key", order.id)
                .POST(HttpRequest.BodyPublishers.ofString(GSON.toJson(Map.of("amount", order.amount, "order_id", order.id))))
                .build();
        try {
            JsonObject created = GSON.fromJson(client.send(request, HttpResponse.BodyHandlers.ofString()).body(), JsonObject.class);
            synchronized (this) {
                order.payment_id = created.getAsJsonObject("payment").get("id").getAsString();
                order.payment_url = created.get("payment_url").getAsString();
            }
        } catch (InterruptedException error) {
            Thread.currentThread().interrupt();
        }
        return order;
    }

    private void hooks(HttpExchange exchange) throws IOException {
        byte[] body = exchange.getRequestBody().readAllBytes();
        try {
            take(Webhook.verify(body, exchange.getRequestHeaders().getFirst("X-PSP-Signature"), env.get("PSP_WEBHOOK_SECRET")));
            respond(exchange, 200, "");
        } catch (InvalidSignatureException error) {
            respond(exchange, 400, error.getMessage());
        }
    }

    private synchronized void take(Event event) {
        Order order = orders.get(event.payment().orderId());
        if (order == null) return;
        order.webhooks++;
        if (!seen.add(event.id())) return;
        order.status = STATUS.getOrDefault(event.event(), order.status);
        if (event.event().equals("payment.succeeded")) order.paid += event.payment().amount();
    }

    private static void respond(HttpExchange exchange, int status, String text) throws IOException {
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }
}
