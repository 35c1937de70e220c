// A shop and its test on clients that oapi-codegen generated. Prints what they saw as JSON.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"

	control "example.com/shop/control"
	public "example.com/shop/public"
)

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func pointer[T any](value T) *T { return &value }

func main() {
	ctx := context.Background()
	url, key, message := os.Args[1], os.Args[2], os.Args[3]
	authorize := func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+key)
		return nil
	}
	shop := must(public.NewClientWithResponses(url, public.WithRequestEditorFn(authorize)))
	sandbox := must(control.NewClientWithResponses(url))

	order := public.CreatePayment{Amount: 150_000, Method: pointer(public.Sbp), Metadata: &map[string]string{"cart": "7"}}
	once := &public.CreatePaymentParams{IdempotencyKey: pointer("go")}
	made := must(shop.CreatePaymentWithResponse(ctx, once, order)).JSON201
	again := must(shop.CreatePaymentWithResponse(ctx, once, order)).JSON200
	id := made.Payment.Id
	refused := must(shop.RefundPaymentWithResponse(ctx, id, nil, public.CreateRefund{})).JSON409
	var pay control.ActOnPayment
	if err := pay.FromPayAct(control.PayAct{Action: "pay", Method: pointer(control.PageMethodSbp)}); err != nil {
		panic(err)
	}
	must(sandbox.ActOnPaymentWithResponse(ctx, id, pay))
	paid := must(shop.GetPaymentWithResponse(ctx, id, nil)).JSON200
	refund := must(shop.RefundPaymentWithResponse(ctx, id, nil, public.CreateRefund{Amount: pointer(int64(50_000))})).JSON201
	other := must(shop.CreatePaymentWithResponse(ctx, nil, public.CreatePayment{Amount: 100})).JSON201
	cancelled := must(shop.CancelPaymentWithResponse(ctx, other.Payment.Id, nil)).JSON200
	banks := must(shop.ListBanksWithResponse(ctx, nil)).JSON200
	payout := must(shop.CreatePayoutWithResponse(ctx, nil, public.CreatePayout{Amount: 100, Phone: "+79991234567", BankId: "100000000111"})).JSON201
	settled := must(sandbox.SettlePayoutWithResponse(ctx, payout.Payout.Id, control.SettlePayout{Action: "settle", Status: "succeeded"})).JSON200

	var freeze control.SetClock
	if err := freeze.FromFrozenClock(control.FrozenClock{Mode: "frozen"}); err != nil {
		panic(err)
	}
	clock := must(sandbox.SetClockWithResponse(ctx, freeze)).JSON200
	advanced := must(sandbox.AdvanceClockWithResponse(ctx, control.AdvanceClock{By: pointer("20m")})).JSON200
	settings := must(sandbox.ChangeSettingsWithResponse(ctx, control.ChangeSettings{DelaysBank: pointer("2s")})).JSON200
	var order_id control.MatchValue
	var plans control.RulePlan
	if order_id.FromMatchValue0("A-*") != nil || plans.FromRulePlan1([]string{"failed:call_issuer", "succeeded"}) != nil {
		panic("a union cannot be written")
	}
	match := map[string]control.MatchValue{"order_id": order_id}
	fault := must(sandbox.CreateFaultWithResponse(ctx, control.CreateFault{Target: control.Api, Fault: "status:503", Match: &match})).JSON201
	rule := must(sandbox.CreateRuleWithResponse(ctx, control.CreateRule{Plan: plans})).JSON201
	gone := must(sandbox.DeleteRuleWithResponse(ctx, "none")).JSON404
	newShop := must(sandbox.CreateShopWithResponse(ctx, control.CreateShop{Name: pointer("Go")})).JSON201
	page := must(sandbox.ListPaymentsWithResponse(ctx, &control.ListPaymentsParams{Limit: pointer(1)})).JSON200

	var received public.StreamMessage
	if err := json.Unmarshal([]byte(message), &received); err != nil {
		panic(err)
	}
	event := must(received.ValueByDiscriminator()).(public.PaymentStatusChangedMessage)

	fmt.Println(string(must(json.Marshal(map[string]any{
		"status":    made.Payment.Status,
		"replayed":  again.Idempotent,
		"refused":   refused.Error.Code,
		"paid":      paid.Status,
		"captured":  paid.CapturedAt.Year() == paid.CreatedAt.Year(),
		"refunded":  refund.Amount,
		"cancelled": cancelled.Status,
		"banks":     len(banks.Items),
		"payout":    settled.Status,
		"clock":     clock.Mode,
		"advanced":  advanced.Now.Sub(clock.Now).Seconds(),
		"delay":     settings.DelaysBank,
		"fault":     must(fault.Match["order_id"].AsMatchValue0()),
		"rule":      must(rule.Plan.AsRulePlan1()),
		"gone":      gone.Error.Code,
		"key":       newShop.ApiKey[:8],
		"listed":    len(page.Items),
		"message":   event.Payload.PreviousStatus,
	}))))
}
