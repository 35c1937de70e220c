// Sends each upload of the standard input with HttpURLConnection and prints the statuses.
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.HttpURLConnection;
import java.net.URI;

class Upload {
  public static void main(String[] args) throws Exception {
    var lines = new BufferedReader(new InputStreamReader(System.in));
    for (String line; (line = lines.readLine()) != null; ) {
      var parts = line.split("\\|");
      var connection = (HttpURLConnection) URI.create(parts[1]).toURL().openConnection();
      try {
        var body = new byte[Integer.parseInt(parts[4])];
        connection.setRequestMethod(parts[0]);
        connection.setDoOutput(true);
        connection.setRequestProperty("Content-Type", parts[3]);
        if (!parts[2].isEmpty()) connection.setRequestProperty("Authorization", "Bearer " + parts[2]);
        connection.getOutputStream().write(body);
        var status = connection.getResponseCode();
        connection.getErrorStream().readAllBytes();
        System.out.println(status);
      } catch (Exception error) {
        System.out.println(error);
      }
    }
  }
}
