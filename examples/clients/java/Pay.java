// Creates a payment with the client that openapi-generator generated, and prints its id.
import psp.publicapi.ApiClient;
import psp.publicapi.api.PaymentsApi;
import psp.publicapi.model.CreatePayment;

public class Pay {
    public static void main(String[] args) throws Exception {
        var client = new ApiClient().setBasePath(System.getenv("PSP_URL"));
        client.setBearerToken(System.getenv("PSP_API_KEY"));
        var created = new PaymentsApi(client).createPayment(new CreatePayment().amount(150_000L), null, null, null);
        System.out.println(created.getPayment().getId());
    }
}
