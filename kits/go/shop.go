package pspsandbox

import (
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"testing"
	"time"
)

var headers = map[string]string{"outcome": "X-PSP-Simulate", "idempotency_key": "Idempotency-Key"}

// Fields are further fields of a request, or the fields that an event, a rule or a fault must match.
type Fields map[string]any

// Shop is a shop that other tests do not see. If one of its methods gets an error, the method fails the test. Only
// Request returns the error.
type Shop struct {
	CreatedShop
	Sandbox *Sandbox
	URL     string

	Clock    Clock
	Payments Payments
	Payouts  Payouts
	Refunds  Refunds
	Rules    Rules
	Faults   Faults

	t testing.TB
}

// Shop creates a shop with separate keys and secrets. The fields are those of POST /_psp/shops.
func (s *Sandbox) Shop(t testing.TB, fields ...Fields) *Shop {
	t.Helper()
	shop := &Shop{Sandbox: s, URL: s.URL, t: t}
	shop.Clock, shop.Payments, shop.Payouts, shop.Refunds = Clock{shop}, Payments{shop}, Payouts{Settled[Payout]{shop, "payouts"}}, Refunds{shop, "refunds"}
	shop.Rules, shop.Faults = Rules{Counted[Rule]{shop, "rules"}}, Faults{Counted[Fault]{shop, "faults"}}
	shop.CreatedShop = control[CreatedShop](shop, "POST", "shops", merged(fields...))
	return shop
}

// Env returns the variables that an application needs to use the shop.
func (s *Shop) Env() map[string]string {
	return map[string]string{"PSP_URL": s.URL, "PSP_API_KEY": s.APIKey, "PSP_SIGNING_SECRET": s.SigningSecret, "PSP_WEBHOOK_SECRET": s.WebhookSecret}
}

// Request sends a signed request of this shop to the public API, and decodes the response into result, unless that is
// nil. The fields outcome and idempotency_key of the body are sent as headers.
func (s *Shop) Request(method, path string, body Fields, result any) error {
	header := http.Header{"Authorization": {"Bearer " + s.APIKey}}
	body = maps.Clone(body)
	for field, name := range headers {
		if value, given := body[field]; given {
			header.Set(name, fmt.Sprint(value))
			delete(body, field)
		}
	}
	payload, _ := encode(body) // the request reports the error
	header.Set("X-PSP-Signature", "sha256="+sign(s.SigningSecret, payload))
	return s.Sandbox.Request(method, path, body, header, result)
}

// DeliverTo sends the webhooks of this shop to the URL, signed with WebhookSecret. Default: every event.
func (s *Shop) DeliverTo(url string, events ...string) {
	s.t.Helper()
	control[Fields](s, "POST", "shops/"+s.ShopID+"/endpoints", Fields{"url": url, "own_secret": false, "events": append([]string{}, events...)})
}

// Events returns the last 1,000 events of this shop, newest first.
func (s *Shop) Events(filters ...Fields) []Event {
	s.t.Helper()
	return list[Event](s, "events", filters...)
}

// Deliveries returns the last 1,000 deliveries of this shop, newest first, each with its attempts.
func (s *Shop) Deliveries(filters ...Fields) []Delivery {
	s.t.Helper()
	return list[Delivery](s, "deliveries", filters...)
}

// WaitFor returns the first matching event, past or future, after the first attempt of each of its webhooks. It matches
// if it or its object has these fields: {"order_id": "A-1", "metadata.cart": 7}. The default timeout is 5 s.
func (s *Shop) WaitFor(event string, where Fields, timeout ...time.Duration) Event {
	s.t.Helper()
	limit := append(timeout, 5*time.Second)[0]
	body := Fields{"event": event, "where": merged(where), "timeout": milliseconds(limit)}
	result := control[WaitResult](s, "POST", "shops/"+s.ShopID+"/wait", body, limit+timeLimit)
	if result.Event == nil {
		s.t.Fatal(&WaitTimeoutError{result.Message})
	}
	return *result.Event
}

// public returns the response of the public API. An error fails the test.
func public[T any](s *Shop, method, path string, body Fields) (result T) {
	s.t.Helper()
	if err := s.Request(method, "/v1/public/"+path, body, &result); err != nil {
		s.t.Fatal(err)
	}
	return result
}

// control returns the response of the control API. An error fails the test.
func control[T any](s *Shop, method, path string, body any, timeout ...time.Duration) (result T) {
	s.t.Helper()
	if err := s.Sandbox.Request(method, "/_psp/"+path, body, nil, &result, timeout...); err != nil {
		s.t.Fatal(err)
	}
	return result
}

// list returns the objects of this shop at a path.
func list[T any](s *Shop, path string, filters ...Fields) []T {
	s.t.Helper()
	query := url.Values{"shop_id": {s.ShopID}, "limit": {"1000"}}
	for name, value := range merged(filters...) {
		query.Set(name, fmt.Sprint(value))
	}
	return control[struct{ Items []T }](s, "GET", path+"?"+query.Encode(), nil).Items
}

// merged returns a new map with the fields of all maps.
func merged(all ...Fields) Fields {
	result := Fields{}
	for _, fields := range all {
		maps.Copy(result, fields)
	}
	return result
}

func milliseconds(duration time.Duration) string { return fmt.Sprintf("%dms", duration.Milliseconds()) }
