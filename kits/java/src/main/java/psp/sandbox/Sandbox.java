package psp.sandbox;

import com.google.gson.*;
import java.io.IOException;
import java.net.URI;
import java.net.http.*;
import java.nio.file.*;
import java.time.Duration;
import java.util.*;
import java.util.concurrent.*;
import psp.sandbox.PspException.*;

/** A running sandbox. It keeps all data in memory, and ends with the process that started it. */
public final class Sandbox implements AutoCloseable {
    static final Gson GSON = new GsonBuilder().setFieldNamingPolicy(FieldNamingPolicy.LOWER_CASE_WITH_UNDERSCORES).create();
    /** For the start of a sandbox, and for a response. */
    private static final Duration TIME_LIMIT = Duration.ofMinutes(1);
    private static final Output NONE = new Output(null, null, 0, null);

    /** The base URL, without a slash at the end. */
    public final String url;
    public final long pid;
    public final Operations.Clock clock = new Operations.Clock(this);

    private final HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).proxy(HttpClient.Builder.NO_PROXY).build();
    private final Path log;
    private final Process process;
    private boolean isClosed;

    /** A line that psp prints when it is ready or fails. A response with an error has the same format. */
    private record Output(String type, String url, long pid, Failure error) {}

    private record Failure(String code, String message, String hint) {}

    /**
     * Starts a sandbox and waits until it is ready.
     *
     * @param flags flags of psp serve, such as --clock=frozen and --set=delays.bank=0s
     */
    public static Sandbox start(String... flags) {
        return new Sandbox(Executable.find(System.getenv(), Path.of("")), flags);
    }

    Sandbox(Path executable, String... flags) {
        List<String> command = new ArrayList<>(List.of(executable.toString(), "serve", "--json", "--quiet", "--ephemeral"));
        command.addAll(List.of("--exit-with-parent", "--port=0", "--clock=real"));
        command.addAll(List.of(flags));
        try {
            log = Files.createTempFile("psp-sandbox-", ".log");
            log.toFile().deleteOnExit();
            process = new ProcessBuilder(command).redirectError(log.toFile()).start();
            process.getOutputStream().close();
        } catch (IOException error) {
            throw Executable.cannotRun(executable, error.getMessage());
        }
        CompletableFuture<String> first = CompletableFuture.supplyAsync(() -> process.inputReader().lines().findFirst().orElse(""));
        String line = first.completeOnTimeout("", TIME_LIMIT.toSeconds(), TimeUnit.SECONDS).join();
        Output ready = parsed(line);
        url = ready.url;
        pid = ready.pid;
        if ("ready".equals(ready.type)) return;
        String ending = ending("no ready line");
        close();
        throw new SandboxException("The sandbox did not start (%s, %s). %s", executable, ending, lastOutput(line));
    }

    /** Creates a shop with separate keys and secrets. The fields are those of POST /_psp/shops. */
    public Shop shop(Map<?, ?>... fields) {
        return new Shop(this, control("POST", "shops", Shop.first(Map.of(), fields), Types.CreatedShop.class));
    }

    /**
     * Sends a request and returns the response as an object of the type, or null if the response is empty.
     *
     * @param body a JSON text, an object, or null
     * @throws ApiException for 4xx and 5xx
     */
    public <T> T request(String method, String path, Object body, Map<String, String> headers, Class<T> type, Duration... timeout) {
        String payload = body == null ? "" : body instanceof String text ? text : GSON.toJson(body);
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url + path)).timeout(Shop.first(TIME_LIMIT, timeout));
        request.method(method, HttpRequest.BodyPublishers.ofString(payload)).header("Content-Type", "application/json");
        headers.forEach(request::header);
        try {
            HttpResponse<String> response = client.send(request.build(), HttpResponse.BodyHandlers.ofString());
            if (response.statusCode() < 400) return GSON.fromJson(response.body(), type);
            Failure error = Objects.requireNonNullElse(parsed(response.body()).error, new Failure("unknown", response.body(), ""));
            throw new ApiException(response.statusCode(), error.code, error.message);
        } catch (IOException error) {
            throw broken(error);
        } catch (InterruptedException error) {
            Thread.currentThread().interrupt();
            throw new SandboxException("The test was interrupted during a request to the sandbox at %s.", url);
        }
    }

    /** Stops the sandbox. */
    @Override
    public void close() {
        isClosed = true;
        process.destroyForcibly().onExit().join();
    }

    <T> T control(String method, String path, Object body, Class<T> type, Duration... timeout) {
        return request(method, "/_psp/" + path, body, Map.of(), type, timeout);
    }

    private SandboxException broken(IOException error) {
        if (isClosed) return new SandboxException("The sandbox at %s was closed by close(). Close it after the last request.", url);
        String ending = ending("");
        if (ending.isEmpty()) {
            return new SandboxException("The sandbox at %s closed the connection or did not respond: %s. "
                    + "A fault of the API such as `cut` causes this; otherwise see the log of the sandbox.", url, error.getMessage());
        }
        String message = lastOutput("Find what ended process " + pid + ", and run the tests again.");
        return new SandboxException("The sandbox at %s ended during the test (%s). %s", url, ending, message);
    }

    /** Returns how the process ended, or the given text if it still runs. Java adds 128 to the number of a signal. */
    private String ending(String none) {
        if (process.onExit().completeOnTimeout(null, 1, TimeUnit.SECONDS).join() == null) return none;
        int code = process.exitValue();
        return code > 128 ? "signal " + (code - 128) : "exit code " + code;
    }

    /** Returns the error that the sandbox printed. Otherwise returns the last lines of its log, or the given text. */
    private String lastOutput(String none) {
        try {
            List<String> lines = Files.readString(log).strip().lines().toList();
            if (lines.isEmpty()) return none;
            Failure error = parsed(lines.get(lines.size() - 1)).error;
            if (error != null) return error.message + " " + error.hint;
            return String.join("\n", lines.subList(Math.max(0, lines.size() - 5), lines.size()));
        } catch (IOException error) {
            return none;
        }
    }

    /** Returns what the sandbox printed, or an empty object for other text. */
    private static Output parsed(String text) {
        try {
            return Objects.requireNonNullElse(GSON.fromJson(text, Output.class), NONE);
        } catch (JsonParseException error) {
            return NONE;
        }
    }
}
