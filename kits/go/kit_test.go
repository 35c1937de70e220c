package pspsandbox

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"
)

var psp *Sandbox

func TestMain(m *testing.M) {
	var err error
	if psp, err = Open(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	code := m.Run()
	psp.Close()
	os.Exit(code)
}

type webhook struct {
	body   []byte
	header string
}

// receiver starts a receiver, and returns its URL and a channel with the received webhooks.
func receiver(t *testing.T) (string, <-chan webhook) {
	webhooks := make(chan webhook, 10)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		webhooks <- webhook{body, r.Header.Get("X-PSP-Signature")}
	}))
	t.Cleanup(server.Close)
	return server.URL, webhooks
}

func TestVerifyAcceptsTheWebhookOfAPaidPayment(t *testing.T) {
	shop := psp.Shop(t)
	url, webhooks := receiver(t)
	shop.DeliverTo(url)
	created := shop.Payments.Create(15_000_000, Fields{"order_id": "A-1", "metadata": Fields{"cart": "7"}})
	equal(t, shop.Payments.Pay(created.Payment.ID).Status, "succeeded")
	event := shop.WaitFor("payment.succeeded", Fields{"metadata.cart": 7, "amount": 15_000_000, "amount_refunded": 0})
	got := <-webhooks
	message, err := Verify(got.body, got.header, shop.WebhookSecret)
	equal(t, err, nil)
	equal(t, message.ID, event.ID)
	equal(t, message.Payment().OrderID, "A-1")
	for _, forged := range []struct {
		body   []byte
		header string
		now    time.Time
		text   string
	}{
		{append(got.body, ' '), got.header, time.Now(), "received bytes"},
		{got.body, got.header, time.Now().Add(301 * time.Second), "more than 5m0s"},
		{got.body, "", time.Now(), "missing"},
	} {
		_, err = Verify(forged.body, forged.header, shop.WebhookSecret, forged.now)
		equal(t, errors.Is(err, ErrInvalidSignature), true)
		contains(t, err.Error(), forged.text)
	}
	_, err = Verify(got.body, got.header, "")
	contains(t, err.Error(), "PSP_WEBHOOK_SECRET")
	_, err = Verify(got.body, got.header, shop.WebhookSecret+"\r\n")
	equal(t, err, nil)
}

func TestTheActsOfBuyerAndBankAreFinalAtOnce(t *testing.T) {
	shop := psp.Shop(t)
	create := func() string { return shop.Payments.Create(100).Payment.ID }
	declined := shop.Payments.Decline(create(), "insufficient_funds")
	equal(t, declined.Status+" "+declined.Metadata["failure_code"], "failed insufficient_funds")
	equal(t, shop.Payments.Expire(create()).Status, "expired")
	cancelled := create()
	shop.Payments.Cancel(cancelled)
	equal(t, shop.Payments.Get(cancelled).Status, "cancelled")
	paid := shop.Payments.Pay(create(), "cards")
	refund := shop.Payments.Refund(paid.ID, 40, Fields{"reason": "damaged"})
	if refund.Status == "pending" {
		shop.Refunds.Settle(refund.ID, "succeeded")
	}
	equal(t, shop.Payments.Get(paid.ID).AmountRefunded, 40)
}

func TestAPayoutIsSettledAsFailed(t *testing.T) {
	shop := psp.Shop(t)
	payout := shop.Payouts.Create(100, "+79161234567", "100000000111", Fields{"outcome": "pending"}).Payout
	equal(t, shop.Payouts.Settle(payout.ID, "failed", "recipient_not_found").Status, "failed")
	equal(t, shop.Payouts.Get(payout.ID).FailReason, "recipient_not_found")
	equal(t, shop.WaitFor("payout.failed", nil).Payout().ID, payout.ID)
}

func TestARuleAndAnIdempotencyKeyDecideTheResponse(t *testing.T) {
	shop := psp.Shop(t)
	shop.Rules.Add(Rule{Plan: []string{"failed:call_issuer", "succeeded"}, Match: Fields{"order_id": "A-*"}})
	first := shop.Payments.Create(100, Fields{"order_id": "A-1", "idempotency_key": "k"})
	again := shop.Payments.Create(100, Fields{"order_id": "A-1", "idempotency_key": "k"})
	equal(t, fmt.Sprint(first.Simulator, again.Idempotent), "failedtrue")
	equal(t, shop.Payments.Create(100, Fields{"order_id": "A-2"}).Simulator, "succeeded")
	equal(t, len(shop.Rules.List()), 1)
	shop.Rules.Clear()
	equal(t, len(shop.Rules.List()), 0)
}

func TestAShopSeesNeitherObjectsNorFaultsOfAnother(t *testing.T) {
	one, other := psp.Shop(t), psp.Shop(t, Fields{"require_signature": true})
	one.Faults.Add(Fault{Target: "api", Fault: "status:503", Times: 1})
	equal(t, other.Payments.Create(100).Payment.ShopID, other.ShopID)
	var failed *APIError
	err := one.Request("POST", "/v1/public/payments", Fields{"amount": 100}, nil)
	equal(t, errors.As(err, &failed) && failed.Status == 503, true)
	equal(t, len(other.Events()), 0)
	other.Faults.Clear()
	equal(t, len(one.Faults.List()), 1)
	one.Faults.Clear()
	equal(t, len(one.Faults.List()), 0)
}

func TestAnEventThatDoesNotHappenIsExplained(t *testing.T) {
	shop := psp.Shop(t)
	shop.Payments.Decline(shop.Payments.Create(100, Fields{"order_id": "C-1"}).Payment.ID)
	message := failure(func(t testing.TB) {
		shop.t = t
		shop.WaitFor("payment.succeeded", Fields{"order_id": "C-2"}, 100*time.Millisecond)
	})
	contains(t, message, `payment.succeeded with order_id "C-2" did not happen within 100ms.`)
	contains(t, message, `payment.failed  order_id "C-1"`)
	contains(t, failure(func(t testing.TB) {
		shop.t = t
		shop.WaitFor("payment.suceeded", nil)
	}), "payment.succeeded")
}

func TestTheClockMovesForwards(t *testing.T) {
	clock := psp.Shop(t).Clock
	before := clock.Now()
	clock.Freeze()
	clock.Advance(20 * time.Minute)
	equal(t, clock.Now().Sub(before) >= 20*time.Minute, true)
	clock.Resume()
}

// recorder is a test that stores the message of a failure and does not fail.
type recorder struct {
	testing.TB
	message string
}

func (r *recorder) Helper() {}

func (r *recorder) Fatal(values ...any) {
	r.message = fmt.Sprint(values...)
	panic(r)
}

// failure returns the message with which a function fails its test.
func failure(run func(testing.TB)) string {
	record := &recorder{}
	func() {
		defer func() {
			if failed := recover(); failed != any(record) {
				panic(failed)
			}
		}()
		run(record)
	}()
	return record.message
}

func equal[T comparable](t *testing.T, got, want T) {
	t.Helper()
	if got != want {
		t.Fatalf("got %v, want %v", got, want)
	}
}

func contains(t *testing.T, text, part string) {
	t.Helper()
	if !strings.Contains(text, part) {
		t.Fatalf("%q does not contain %q", text, part)
	}
}
