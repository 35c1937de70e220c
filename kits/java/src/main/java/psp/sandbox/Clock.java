package psp.sandbox;

import com.google.gson.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;

/** The clock of the sandbox. All its shops share it, and it moves forwards only. */
public record Clock(Sandbox sandbox) {
    /** Returns the time of the sandbox. */
    public Instant now() {
        return Instant.parse(Sandbox.text(sandbox.request("GET", "/_psp/clock", null, Map.of(), JsonObject.class), "now"));
    }

    /** Runs every step that is due within the duration, webhooks included. */
    public void advance(Duration by) {
        post("/advance", Map.of("by", by.toMillis() + "ms"));
    }

    /** Stops the clock. */
    public void freeze() {
        post("", Map.of("mode", "frozen"));
    }

    /** Continues at the speed of the system clock. */
    public void resume() {
        post("", Map.of("mode", "real"));
    }

    private void post(String path, Map<String, String> body) {
        sandbox.request("POST", "/_psp/clock" + path, body, Map.of(), JsonObject.class);
    }
}
