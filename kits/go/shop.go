package pspsandbox

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"
)

const (
	waitTimeout = 5 * time.Second
	poll        = 20 * time.Millisecond
	shown       = 5
)

var headers = map[string]string{"outcome": "X-PSP-Simulate", "idempotency_key": "Idempotency-Key"}

// Shop is a shop that other tests do not see. An error of its methods fails the test; Request returns the error instead.
type Shop struct {
	Sandbox       *Sandbox
	URL           string
	ID            string `json:"shop_id"`
	APIKey        string `json:"api_key"`
	SigningSecret string `json:"signing_secret"`
	WebhookSecret string `json:"webhook_secret"`

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
	shop.Clock, shop.Payments, shop.Payouts, shop.Refunds = Clock{shop}, Payments{shop}, Payouts{shop}, Refunds{shop}
	shop.Rules, shop.Faults = Rules{counted[Rule]{shop, "rules"}}, Faults{counted[Fault]{shop, "faults"}}
	shop.must(s.Request("POST", "/_psp/shops", merged(fields...), nil, shop))
	return shop
}

// Env returns the variables that an application needs to use the shop.
func (s *Shop) Env() map[string]string {
	return map[string]string{
		"PSP_URL": s.URL, "PSP_API_KEY": s.APIKey, "PSP_SIGNING_SECRET": s.SigningSecret, "PSP_WEBHOOK_SECRET": s.WebhookSecret,
	}
}

// Request sends a signed request of this shop to the public API, and decodes the response into result, unless that is nil.
// The fields outcome and idempotency_key of the body are sent as headers.
func (s *Shop) Request(method, path string, body Fields, result any) error {
	header := http.Header{"Authorization": {"Bearer " + s.APIKey}}
	body = maps.Clone(body)
	for field, name := range headers {
		if value, given := body[field]; given {
			header.Set(name, fmt.Sprint(value))
			delete(body, field)
		}
	}
	payload, err := encode(body)
	if err != nil {
		return err
	}
	mac := hmac.New(sha256.New, []byte(s.SigningSecret))
	mac.Write(payload)
	header.Set("X-PSP-Signature", "sha256="+hex.EncodeToString(mac.Sum(nil)))
	return s.Sandbox.Request(method, path, payload, header, result)
}

// DeliverTo sends the webhooks of this shop to the URL, signed with WebhookSecret. Default: every event.
func (s *Shop) DeliverTo(url string, events ...string) {
	s.t.Helper()
	body := Fields{"url": url, "own_secret": false, "events": append([]string{}, events...)}
	control[Fields](s, "POST", "/_psp/shops/"+s.ID+"/endpoints", body)
}

// Events returns the last 1,000 events of this shop, newest first.
func (s *Shop) Events(filters ...Fields) []Event {
	s.t.Helper()
	return list[Event](s, "/_psp/events", filters)
}

// Deliveries returns the last 1,000 deliveries of this shop, newest first, each with its attempts.
func (s *Shop) Deliveries(filters ...Fields) []Delivery {
	s.t.Helper()
	return list[Delivery](s, "/_psp/deliveries", filters)
}

// WaitFor returns the first event with these fields, past or future, after the first attempt of each of its webhooks.
// A dot separates a nested field: {"order_id": "A-1", "metadata.cart": 7}. It waits 5 s, or the given time.
func (s *Shop) WaitFor(event string, where Fields, timeout ...time.Duration) Event {
	s.t.Helper()
	limit := append(timeout, waitTimeout)[0]
	for deadline := time.Now().Add(limit); ; time.Sleep(poll) {
		events := s.Events(Fields{"event": event})
		slices.Reverse(events)
		at := slices.IndexFunc(events, func(one Event) bool { return matches(one, where) })
		if at >= 0 && !slices.ContainsFunc(s.Deliveries(Fields{"event_id": events[at].ID}), isOpen) {
			return events[at]
		}
		if time.Now().After(deadline) {
			s.t.Fatal(s.missing(event, where, limit, at >= 0))
		}
	}
}

func (s *Shop) missing(event string, where Fields, limit time.Duration, happened bool) error {
	wanted := event
	if len(where) > 0 {
		fields, _ := json.Marshal(where)
		wanted += " with " + string(fields)
	}
	if happened {
		return &WaitTimeoutError{fmt.Sprintf("%s happened, but its webhook got no response within %s. Check the URL in DeliverTo.", wanted, limit)}
	}
	lines := []string{fmt.Sprintf("%s did not happen within %s.", wanted, limit), "Events that happened instead:"}
	seen := s.Events()
	if len(seen) == 0 {
		lines[1] = "No event happened."
	}
	for _, one := range seen[:min(shown, len(seen))] {
		lines = append(lines, fmt.Sprintf("  %s  %s %s", one.Event, one.ObjectID, one.Payment().OrderID))
	}
	if control[struct{ Mode string }](s, "GET", "/_psp/clock", nil).Mode == "frozen" {
		lines = append(lines, "The clock is frozen: Clock.Advance(10 * time.Second) runs the next steps.")
	}
	return &WaitTimeoutError{strings.Join(lines, "\n")}
}

func (s *Shop) must(err error) {
	s.t.Helper()
	if err != nil {
		s.t.Fatal(err)
	}
}

// public returns the response of the public API. An error fails the test.
func public[T any](s *Shop, method, path string, body Fields) (result T) {
	s.t.Helper()
	s.must(s.Request(method, "/v1/public/"+path, body, &result))
	return result
}

// control returns the response of the control API. An error fails the test.
func control[T any](s *Shop, method, path string, body any) (result T) {
	s.t.Helper()
	s.must(s.Sandbox.Request(method, path, body, nil, &result))
	return result
}

// list returns the items of this shop.
func list[T any](s *Shop, path string, filters []Fields) []T {
	s.t.Helper()
	query := url.Values{"shop_id": {s.ID}, "limit": {"1000"}}
	for name, value := range merged(filters...) {
		query.Set(name, fmt.Sprint(value))
	}
	return control[struct{ Items []T }](s, "GET", path+"?"+query.Encode(), nil).Items
}

// merged returns the fields of all maps in a new one.
func merged(all ...Fields) Fields {
	result := Fields{}
	for _, fields := range all {
		maps.Copy(result, fields)
	}
	return result
}

func isOpen(delivery Delivery) bool {
	return len(delivery.Attempts) == 0 && delivery.Status != "cancelled" && delivery.Status != "exhausted"
}

// matches returns whether the event has each value, in its object or in itself.
func matches(event Event, where Fields) bool {
	fields := map[string]any{"event": event.Event, "shop_id": event.ShopID, "object_id": event.ObjectID}
	decoder := json.NewDecoder(bytes.NewReader(event.Data))
	decoder.UseNumber()
	if decoder.Decode(&fields) != nil {
		return false
	}
	for path, wanted := range where {
		var value any = fields
		for _, name := range strings.Split(path, ".") {
			object, _ := value.(map[string]any)
			value = object[name]
		}
		if fmt.Sprint(value) != fmt.Sprint(wanted) {
			return false
		}
	}
	return true
}
