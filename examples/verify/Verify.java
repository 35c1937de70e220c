import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Map;
import java.util.Scanner;
import java.util.stream.Collectors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

public class Verify {
    /** rawBody: the received bytes (Spring: {@code @RequestBody byte[]}); now and tolerance in seconds. */
    static boolean verify(byte[] rawBody, String header, String secret, long now, long tolerance)
            throws GeneralSecurityException {
        Map<String, String> parts = Arrays.stream((header == null ? "" : header).split(","))
                .map(part -> part.strip().split("=", 2))
                .collect(Collectors.toMap(part -> part[0], part -> part.length > 1 ? part[1] : "", (a, b) -> b));
        String t = parts.getOrDefault("t", "");
        if (!t.matches("[0-9]{1,12}") || Math.abs(now - Long.parseLong(t)) > tolerance) return false;
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
        mac.update((t + ".").getBytes(StandardCharsets.UTF_8));
        byte[] expected = HexFormat.of().formatHex(mac.doFinal(rawBody)).getBytes(StandardCharsets.UTF_8);
        return MessageDigest.isEqual(expected, parts.getOrDefault("v2", "").getBytes(StandardCharsets.UTF_8));
    }

    /** Each line is one case: secret, now, header and body (both base64), separated by tabs. */
    public static void main(String[] args) throws GeneralSecurityException {
        Scanner lines = new Scanner(System.in, StandardCharsets.UTF_8);
        while (lines.hasNextLine()) {
            String[] field = lines.nextLine().split("\t", -1);
            String header = new String(Base64.getDecoder().decode(field[2]), StandardCharsets.UTF_8);
            byte[] body = Base64.getDecoder().decode(field[3]);
            boolean valid = verify(body, header, field[0], Long.parseLong(field[1]), 300);
            System.out.println(valid ? "valid" : "invalid");
        }
    }
}
