package psp.sandbox;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.*;
import java.time.*;
import java.util.*;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import psp.sandbox.PspException.InvalidSignatureException;
import psp.sandbox.Types.Event;

/** Verifies the signature of a webhook. */
public final class Webhook {
    /** The accepted difference between the time of a signature and the current time. */
    public static final Duration TOLERANCE = Duration.ofMinutes(5);

    private Webhook() {}

    /**
     * Returns the event of a webhook with a valid signature.
     *
     * @param rawBody the received bytes, before any JSON parser
     * @param header the value of X-PSP-Signature
     * @param now the time to compare with, for tests with a fake clock
     * @throws InvalidSignatureException if the signature is missing or wrong, or older or newer than TOLERANCE
     */
    public static Event verify(byte[] rawBody, String header, String secret, Instant... now) {
        if (secret == null || secret.isEmpty()) throw new IllegalArgumentException("verify: the webhook secret is empty. Set PSP_WEBHOOK_SECRET.");
        Map<String, String> parts = new HashMap<>();
        for (String part : (header == null ? "" : header).split(",")) {
            String[] pair = part.strip().split("=", 2);
            parts.put(pair[0], pair.length > 1 ? pair[1] : "");
        }
        String t = parts.getOrDefault("t", "");
        require(t.matches("[0-9]{1,12}") && parts.containsKey("v2"), "X-PSP-Signature is missing, or its format is not t=…,v2=….");
        long age = Math.abs(Shop.first(Instant.now(), now).getEpochSecond() - Long.parseLong(t));
        require(age <= TOLERANCE.toSeconds(), "The signature was made at %s, more than %d s from now.", t, TOLERANCE.toSeconds());
        byte[] expected = hmac(secret.strip(), (t + ".").getBytes(UTF_8), rawBody).getBytes(UTF_8);
        require(MessageDigest.isEqual(expected, parts.get("v2").getBytes(UTF_8)),
                "The signature does not match. Verify the received bytes, with the whs_ secret of this shop.");
        return Sandbox.GSON.fromJson(new String(rawBody, UTF_8), Event.class);
    }

    private static void require(boolean isValid, String problem, Object... values) {
        if (!isValid) throw new InvalidSignatureException(problem, values);
    }

    /** Returns the HMAC-SHA256 of the bytes, in hexadecimal. */
    static String hmac(String secret, byte[]... parts) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(secret.getBytes(UTF_8), "HmacSHA256"));
            for (byte[] part : parts) mac.update(part);
            return HexFormat.of().formatHex(mac.doFinal());
        } catch (GeneralSecurityException error) {
            throw new IllegalStateException(error);
        }
    }
}
