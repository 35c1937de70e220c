// A shop and its test on clients that openapi-generator generated. Prints what they saw as JSON.
import com.google.gson.JsonObject;
import java.time.Duration;
import java.util.Map;
import psp.controlapi.api.ObjectsApi;
import psp.controlapi.api.SandboxApi;
import psp.controlapi.api.ShopsApi;
import psp.controlapi.api.SimulatorApi;
import psp.controlapi.model.*;
import psp.publicapi.ApiException;
import psp.publicapi.api.BanksApi;
import psp.publicapi.api.PaymentsApi;
import psp.publicapi.api.PayoutsApi;
import psp.publicapi.model.ApiError;
import psp.publicapi.model.CreatePayment;
import psp.publicapi.model.CreatePayout;
import psp.publicapi.model.CreateRefund;
import psp.publicapi.model.CreatedPayment;
import psp.publicapi.model.PaymentStatusChangedMessage;
import psp.publicapi.model.StreamMessage;

public class Shop {
  public static void main(String[] args) throws Exception {
    var shop = new psp.publicapi.ApiClient().setBasePath(args[0]);
    shop.setBearerToken(args[1]);
    var sandbox = new psp.controlapi.ApiClient().setBasePath(args[0]);
    var payments = new PaymentsApi(shop);
    var objects = new ObjectsApi(sandbox);
    var clocks = new SandboxApi(sandbox);
    var simulator = new SimulatorApi(sandbox);

    var order = new CreatePayment().amount(150_000L).method(psp.publicapi.model.PaymentMethod.SBP).metadata(Map.of("cart", "7"));
    CreatedPayment made = payments.createPayment(order, "java", null, null);
    CreatedPayment again = payments.createPayment(order, "java", null, null);
    var id = made.getPayment().getId();
    String refused = null;
    try {
      payments.refundPayment(id, null, null, null, new CreateRefund());
    } catch (ApiException e) {
      refused = ApiError.fromJson(e.getResponseBody()).getError().getCode().getValue();
    }
    objects.actOnPayment(id, new ActOnPayment(new PayAct().action(PayAct.ActionEnum.PAY).method(PageMethod.SBP)));
    var paid = payments.getPayment(id, null);
    var refund = payments.refundPayment(id, null, null, null, new CreateRefund().amount(50_000L));
    var other = payments.createPayment(new CreatePayment().amount(100L), null, null, null);
    var cancelled = payments.cancelPayment(other.getPayment().getId(), null);
    var payout = new PayoutsApi(shop)
        .createPayout(new CreatePayout().amount(100L).phone("+79991234567").bankId("100000000111"), null, null, null);
    var settled = objects.settlePayout(
        payout.getPayout().getId(),
        new SettlePayout().action(SettlePayout.ActionEnum.SETTLE).status(SettlePayout.StatusEnum.SUCCEEDED));

    var clock = clocks.setClock(new SetClock(new FrozenClock().mode(FrozenClock.ModeEnum.FROZEN)));
    var advanced = clocks.advanceClock(new AdvanceClock().by("20m"));
    var settings = clocks.changeSettings(new ChangeSettings().delaysBank("2s"));
    var fault = simulator.createFault(new CreateFault().target(FaultTarget.API).fault("status:503").match(Map.of("order_id", new MatchValue("A-*"))));
    var rule = simulator.createRule(new CreateRule().plan(new RulePlan("failed:call_issuer")));
    String gone = null;
    try {
      simulator.deleteRule("none");
    } catch (psp.controlapi.ApiException e) {
      gone = psp.controlapi.model.ApiError.fromJson(e.getResponseBody()).getError().getCode().getValue();
    }
    var newShop = new ShopsApi(sandbox).createShop(new CreateShop().name("Java"));
    var page = objects.listPayments(1, null, null, null, null, null, null, null);
    var event = (PaymentStatusChangedMessage) StreamMessage.fromJson(args[2]).getActualInstance();

    var seen = new JsonObject();
    seen.addProperty("status", made.getPayment().getStatus().getValue());
    seen.addProperty("replayed", again.getIdempotent());
    seen.addProperty("refused", refused);
    seen.addProperty("paid", paid.getStatus().getValue());
    seen.addProperty("captured", paid.getCapturedAt().getYear() == paid.getCreatedAt().getYear());
    seen.addProperty("refunded", refund.getAmount());
    seen.addProperty("cancelled", cancelled.getStatus().getValue());
    seen.addProperty("banks", new BanksApi(shop).listBanks(null).getItems().size());
    seen.addProperty("payout", settled.getStatus().getValue());
    seen.addProperty("clock", clock.getMode().getValue());
    seen.addProperty("advanced", Duration.between(clock.getNow(), advanced.getNow()).toSeconds());
    seen.addProperty("delay", settings.getDelaysBank());
    seen.addProperty("fault", fault.getMatch().get("order_id").getString());
    seen.addProperty("rule", rule.getPlan().getString());
    seen.addProperty("gone", gone);
    seen.addProperty("key", newShop.getApiKey().substring(0, 8));
    seen.addProperty("listed", page.getItems().size());
    seen.addProperty("message", event.getPayload().getPreviousStatus().getValue());
    System.out.println(seen);
  }
}
