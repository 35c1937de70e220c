package psp.sandbox;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import psp.sandbox.PspException.ApiException;
import psp.sandbox.PspException.SandboxException;

/** A running sandbox. It keeps everything in memory, and ends with the process that started it. */
public final class Sandbox implements AutoCloseable {
    private static final Duration START_TIMEOUT = Duration.ofMinutes(1);
    private static final Duration REQUEST_TIMEOUT = Duration.ofMinutes(1);

    private final HttpClient client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .proxy(HttpClient.Builder.NO_PROXY)
            .build();
    private final Path log;
    private final Process process;
    private final String url;
    private final long pid;
    private boolean isClosed;

    /**
     * How a sandbox starts. The settings are by name, {"delays.bank": "0s"}.
     *
     * @param port 0 picks a free one
     * @param clock real, frozen, frozen@TIME or xN
     * @param args further arguments of psp serve
     */
    public record Options(int port, String clock, Map<String, String> settings, List<String> args) {
        public Options() {
            this(0, "real", Map.of(), List.of());
        }

        public Options withPort(int port) {
            return new Options(port, clock, settings, args);
        }

        public Options withClock(String clock) {
            return new Options(port, clock, settings, args);
        }

        public Options withSettings(Map<String, String> settings) {
            return new Options(port, clock, settings, args);
        }
    }

    private Sandbox(Path executable, Options options) {
        List<String> words = new ArrayList<>(List.of(executable.toString(), "serve", "--json", "--quiet", "--ephemeral",
                "--exit-with-parent", "--port=" + options.port(), "--clock=" + options.clock()));
        options.settings().forEach((name, value) -> words.add("--set=" + name + "=" + value));
        words.addAll(options.args());
        try {
            log = Files.createTempFile("psp-sandbox-", ".log");
            log.toFile().deleteOnExit();
            process = new ProcessBuilder(words).redirectError(log.toFile()).start();
            process.getOutputStream().close();
        } catch (IOException error) {
            throw new SandboxException(executable + " cannot run on this machine: " + error.getMessage() + ". Set PSP_BIN to one that can.");
        }
        JsonObject ready = readyLine(executable);
        url = ready.get("url").getAsString();
        pid = ready.get("pid").getAsLong();
    }

    /** Starts a sandbox on a free port and waits until it is ready. */
    public static Sandbox start() {
        return start(new Options());
    }

    /** Starts a sandbox and waits until it is ready. */
    public static Sandbox start(Options options) {
        return start(options, System.getenv(), Path.of(""));
    }

    static Sandbox start(Options options, Map<String, String> env, Path folder) {
        return new Sandbox(Executable.find(env, folder), options);
    }

    /** The base URL, without a slash at the end. */
    public String url() {
        return url;
    }

    public long pid() {
        return pid;
    }

    /** The clock of the sandbox. All its shops share it. */
    public Clock clock() {
        return new Clock(this);
    }

    /** Creates a shop with separate keys and secrets. */
    public Shop shop() {
        return shop(Map.of());
    }

    /** Creates a shop with the fields of POST /_psp/shops. */
    public Shop shop(Map<String, ?> fields) {
        JsonObject created = request("POST", "/_psp/shops", fields, Map.of(), JsonObject.class);
        return new Shop(this, text(created, "shop_id"), text(created, "api_key"), text(created, "signing_secret"), text(created, "webhook_secret"));
    }

    /**
     * Sends a request and returns the response as an object of the type, or null for an empty one.
     *
     * @param body a JSON text, an object, or null
     * @throws ApiException for 4xx and 5xx
     */
    public <T> T request(String method, String path, Object body, Map<String, String> headers, Class<T> type) {
        String payload = body == null ? "" : body instanceof String text ? text : Types.GSON.toJson(body);
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url + path)).timeout(REQUEST_TIMEOUT);
        request.method(method, payload.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(payload));
        if (!payload.isEmpty()) request.header("Content-Type", "application/json");
        headers.forEach(request::header);
        HttpResponse<String> response;
        try {
            response = client.send(request.build(), BodyHandlers.ofString());
        } catch (IOException error) {
            throw broken(error);
        } catch (InterruptedException error) {
            Thread.currentThread().interrupt();
            throw new SandboxException("The test was interrupted during a request to the sandbox at " + url + ".");
        }
        if (response.statusCode() >= 400) {
            JsonObject error = errorOf(response.body());
            String code = error.has("code") ? text(error, "code") : "unknown";
            throw new ApiException(response.statusCode(), code, error.has("message") ? text(error, "message") : response.body());
        }
        return Types.GSON.fromJson(response.body(), type);
    }

    /** Returns the items of a list of the control API. */
    <T> List<T> list(String path, Class<T> type) {
        JsonArray items = request("GET", path, null, Map.of(), JsonObject.class).getAsJsonArray("items");
        return items.asList().stream().map(item -> Types.GSON.fromJson(item, type)).toList();
    }

    /** Stops the sandbox. */
    @Override
    public void close() {
        isClosed = true;
        process.destroy();
        if (!hasEnded(10)) {
            process.destroyForcibly();
            hasEnded(10);
        }
    }

    private JsonObject readyLine(Path executable) {
        Executor later = CompletableFuture.delayedExecutor(START_TIMEOUT.toSeconds(), TimeUnit.SECONDS);
        CompletableFuture<Boolean> timeout = CompletableFuture.supplyAsync(process.toHandle()::destroyForcibly, later);
        String line = process.inputReader(StandardCharsets.UTF_8).lines().findFirst().orElse("");
        timeout.cancel(false);
        JsonObject ready = parsed(line);
        if (text(ready, "type").equals("ready")) return ready;
        if (!hasEnded(1)) {
            process.destroyForcibly();
            hasEnded(10);
        }
        String message = lastOutput();
        throw new SandboxException("The sandbox did not start (" + executable + ", " + ending() + "). " + (message.isEmpty() ? line : message));
    }

    private SandboxException broken(IOException error) {
        if (isClosed) return new SandboxException("The sandbox at " + url + " was closed by close(). Close it after the last request.");
        if (hasEnded(1)) {
            String message = lastOutput();
            return new SandboxException("The sandbox at " + url + " ended during the test (" + ending() + "). "
                    + (message.isEmpty() ? "Find what ended process " + pid + ", and run the tests again." : message));
        }
        return new SandboxException("The sandbox at " + url + " closed the connection or did not respond: " + error.getMessage()
                + ". A fault of the API such as `cut` causes this; otherwise see the log of the sandbox.");
    }

    private boolean hasEnded(int seconds) {
        return process.onExit().completeOnTimeout(null, seconds, TimeUnit.SECONDS).join() != null;
    }

    /** Java adds 128 to the number of a signal. */
    private String ending() {
        int code = process.exitValue();
        return code > 128 ? "signal " + (code - 128) : "exit code " + code;
    }

    private String lastOutput() {
        try {
            List<String> lines = Files.readString(log).strip().lines().toList();
            lines = lines.subList(Math.max(0, lines.size() - 5), lines.size());
            JsonObject error = errorOf(lines.isEmpty() ? "" : lines.get(lines.size() - 1));
            return error.has("hint") ? text(error, "message") + " " + text(error, "hint") : String.join("\n", lines);
        } catch (IOException error) {
            return "";
        }
    }

    private static JsonObject errorOf(String text) {
        return parsed(text).get("error") instanceof JsonObject error ? error : new JsonObject();
    }

    /** Returns the JSON object, or an empty one for other text. */
    private static JsonObject parsed(String text) {
        try {
            return JsonParser.parseString(text) instanceof JsonObject object ? object : new JsonObject();
        } catch (JsonParseException error) {
            return new JsonObject();
        }
    }

    static String text(JsonObject object, String name) {
        return object.has(name) ? object.get(name).getAsString() : "";
    }
}
