package psp.sandbox;

import com.google.gson.FieldNamingPolicy;
import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import psp.sandbox.PspException.ApiException;
import psp.sandbox.PspException.SandboxException;

/** A running sandbox. It keeps everything in memory, and ends with the process that started it. */
public final class Sandbox implements AutoCloseable {
    static final Gson GSON =
            new GsonBuilder().setFieldNamingPolicy(FieldNamingPolicy.LOWER_CASE_WITH_UNDERSCORES).disableHtmlEscaping().create();
    /** With the start of a sandbox, and with a response. */
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final HttpClient client = HttpClient.newBuilder().version(Version.HTTP_1_1).proxy(HttpClient.Builder.NO_PROXY).build();
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

        public Options withArgs(List<String> args) {
            return new Options(port, clock, settings, args);
        }
    }

    /** A line that psp prints: that it is ready, or an error. A response with an error has the same form. */
    private record Output(String type, String url, long pid, Failure error) {}

    private record Failure(String code, String message, String hint) {}

    private static final Output NONE = new Output(null, null, 0, null);

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
            throw Executable.cannotRun(executable, error.getMessage());
        }
        Output ready = readyLine(executable);
        url = ready.url;
        pid = ready.pid;
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
    public Operations.Clock clock() {
        return new Operations.Clock(this);
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
        return request(method, path, body, headers, type, PATIENCE);
    }

    <T> T request(String method, String path, Object body, Map<String, String> headers, Class<T> type, Duration timeout) {
        String payload = body == null ? "" : body instanceof String text ? text : GSON.toJson(body);
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url + path)).timeout(timeout);
        request.method(method, payload.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(payload));
        request.header("Content-Type", "application/json");
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
            Failure error = parsed(response.body()).error;
            if (error == null) error = new Failure("unknown", response.body(), "");
            throw new ApiException(response.statusCode(), error.code, error.message);
        }
        return GSON.fromJson(response.body(), type);
    }

    /** Stops the sandbox. */
    @Override
    public void close() {
        isClosed = true;
        process.destroyForcibly().onExit().join();
    }

    private Output readyLine(Path executable) {
        CompletableFuture<String> first = CompletableFuture.supplyAsync(() -> process.inputReader().lines().findFirst().orElse(""));
        String line = first.completeOnTimeout("", PATIENCE.toSeconds(), TimeUnit.SECONDS).join();
        Output ready = parsed(line);
        if ("ready".equals(ready.type)) return ready;
        String ending = ending();
        close();
        String message = lastOutput();
        throw new SandboxException("The sandbox did not start (" + executable + ", " + (ending.isEmpty() ? "no ready line" : ending) + "). "
                + (message.isEmpty() ? line : message));
    }

    private SandboxException broken(IOException error) {
        if (isClosed) return new SandboxException("The sandbox at " + url + " was closed by close(). Close it after the last request.");
        String ending = ending();
        if (ending.isEmpty()) {
            return new SandboxException("The sandbox at " + url + " closed the connection or did not respond: " + error.getMessage()
                    + ". A fault of the API such as `cut` causes this; otherwise see the log of the sandbox.");
        }
        String message = lastOutput();
        return new SandboxException("The sandbox at " + url + " ended during the test (" + ending + "). "
                + (message.isEmpty() ? "Find what ended process " + pid + ", and run the tests again." : message));
    }

    /** Returns how the process ended, or nothing if it still runs after a second. Java adds 128 to the number of a signal. */
    private String ending() {
        if (process.onExit().completeOnTimeout(null, 1, TimeUnit.SECONDS).join() == null) return "";
        int code = process.exitValue();
        return code > 128 ? "signal " + (code - 128) : "exit code " + code;
    }

    /** Returns the error that the sandbox printed, or else the last lines of its log. */
    private String lastOutput() {
        try {
            List<String> lines = Files.readString(log).strip().lines().toList();
            lines = lines.subList(Math.max(0, lines.size() - 5), lines.size());
            Failure error = parsed(lines.isEmpty() ? "" : lines.get(lines.size() - 1)).error;
            return error == null ? String.join("\n", lines) : error.message + " " + error.hint;
        } catch (IOException error) {
            return "";
        }
    }

    /** Returns what the sandbox printed, or an empty object for other text. */
    private static Output parsed(String text) {
        try {
            Output output = GSON.fromJson(text, Output.class);
            return output == null ? NONE : output;
        } catch (JsonParseException error) {
            return NONE;
        }
    }

    static String text(JsonObject object, String name) {
        return object.get(name).getAsString();
    }
}
