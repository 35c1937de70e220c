package pspsandbox

import (
	"fmt"
	"time"
)

// Clock is the clock of the sandbox. All its shops share it, and it moves forwards only.
type Clock struct{ shop *Shop }

// Now returns the time of the sandbox.
func (c Clock) Now() time.Time {
	c.shop.t.Helper()
	var state struct{ Now time.Time }
	c.shop.control("GET", "/_psp/clock", nil, &state)
	return state.Now
}

// Advance runs every step that is due within the duration, webhooks included.
func (c Clock) Advance(by time.Duration) {
	c.shop.t.Helper()
	c.shop.control("POST", "/_psp/clock/advance", Fields{"by": fmt.Sprintf("%dms", by.Milliseconds())}, nil)
}

// Freeze stops the clock.
func (c Clock) Freeze() {
	c.shop.t.Helper()
	c.shop.control("POST", "/_psp/clock", Fields{"mode": "frozen"}, nil)
}

// Resume continues at the speed of the system clock.
func (c Clock) Resume() {
	c.shop.t.Helper()
	c.shop.control("POST", "/_psp/clock", Fields{"mode": "real"}, nil)
}

// Payments of the shop, and the acts of buyer and bank on them.
type Payments struct{ shop *Shop }

// Create creates a payment, in minor units. The fields are the others of the request, such as order_id and metadata.
// The field outcome is the plan of the simulator, such as failed:insufficient_funds, and idempotency_key is a header.
func (p Payments) Create(amount int64, fields ...Fields) (created CreatedPayment) {
	p.shop.t.Helper()
	p.shop.must(p.shop.Request("POST", "/v1/public/payments", merged(append(fields, Fields{"amount": amount})), &created))
	return created
}

// Get returns the payment.
func (p Payments) Get(id string) (payment Payment) {
	p.shop.t.Helper()
	p.shop.must(p.shop.Request("GET", "/v1/public/payments/"+id, nil, &payment))
	return payment
}

// Cancel cancels a pending payment.
func (p Payments) Cancel(id string) {
	p.shop.t.Helper()
	p.shop.must(p.shop.Request("POST", "/v1/public/payments/"+id+"/cancel", nil, nil))
}

// Refund refunds the amount, or for 0 the whole remainder. The fields are reason and idempotency_key.
func (p Payments) Refund(id string, amount int64, fields ...Fields) (refund Refund) {
	p.shop.t.Helper()
	body := merged(append(fields, Fields{"amount": amount}))
	p.shop.must(p.shop.Request("POST", "/v1/public/payments/"+id+"/refund", body, &refund))
	return refund
}

// Pay pays as the buyer, by SBP unless a method is given. The payment is final at once.
func (p Payments) Pay(id string, method ...string) Payment {
	p.shop.t.Helper()
	return p.act(id, Fields{"action": "pay", "method": append(method, "sbp")[0]})
}

// Decline declines as the bank: do_not_honor, or the given code. The payment is final at once.
func (p Payments) Decline(id string, failureCode ...string) Payment {
	p.shop.t.Helper()
	return p.act(id, Fields{"action": "decline", "failure_code": append(failureCode, "do_not_honor")[0]})
}

// Expire expires the payment at once.
func (p Payments) Expire(id string) Payment {
	p.shop.t.Helper()
	return p.act(id, Fields{"action": "expire"})
}

func (p Payments) act(id string, body Fields) (payment Payment) {
	p.shop.t.Helper()
	p.shop.control("POST", "/_psp/payments/"+id+"/act", body, &payment)
	return payment
}

// Payouts of the shop, and the act of the bank on them.
type Payouts struct{ shop *Shop }

// Create creates a payout, in minor units, with the fields of [Payments.Create].
func (p Payouts) Create(amount int64, phone, bankID string, fields ...Fields) (created CreatedPayout) {
	p.shop.t.Helper()
	body := merged(append(fields, Fields{"amount": amount, "phone": phone, "bank_id": bankID}))
	p.shop.must(p.shop.Request("POST", "/v1/public/payouts", body, &created))
	return created
}

// Get returns the payout.
func (p Payouts) Get(id string) (payout Payout) {
	p.shop.t.Helper()
	p.shop.must(p.shop.Request("GET", "/v1/public/payouts/"+id, nil, &payout))
	return payout
}

// Settle settles a pending payout as the bank: succeeded, or failed with a code.
func (p Payouts) Settle(id, status string, failureCode ...string) (payout Payout) {
	p.shop.t.Helper()
	p.shop.settle("payouts", id, status, failureCode, &payout)
	return payout
}

// Refunds has the act of the bank on refunds. [Payments.Refund] creates them.
type Refunds struct{ shop *Shop }

// Settle settles a pending refund as the bank: succeeded, or failed with a code.
func (r Refunds) Settle(id, status string, failureCode ...string) (refund Refund) {
	r.shop.t.Helper()
	r.shop.settle("refunds", id, status, failureCode, &refund)
	return refund
}

func (s *Shop) settle(kind, id, status string, failureCode []string, result any) {
	s.t.Helper()
	body := Fields{"action": "settle", "status": status}
	if len(failureCode) > 0 {
		body["failure_code"] = failureCode[0]
	}
	s.control("POST", "/_psp/"+kind+"/"+id+"/act", body, result)
}

// Rules decide the outcome of this shop's payments, refunds and payouts.
type Rules struct{ shop *Shop }

// Add adds a rule for this shop: {Plan: "failed:insufficient_funds", Match: Fields{"order_id": "A-*"}, Times: 1}.
func (r Rules) Add(rule Rule) (added Rule) {
	r.shop.t.Helper()
	rule.Match = merged([]Fields{rule.Match, {"shop_id": r.shop.ID}})
	r.shop.control("POST", "/_psp/rules", rule, &added)
	return added
}

// List returns the rules of this shop, newest first.
func (r Rules) List() (rules []Rule) {
	r.shop.t.Helper()
	return listed(r.shop, "/_psp/rules", func(rule Rule) Fields { return rule.Match })
}

// Remove removes a rule.
func (r Rules) Remove(id string) {
	r.shop.t.Helper()
	r.shop.control("DELETE", "/_psp/rules/"+id, nil, nil)
}

// Clear removes the rules of this shop.
func (r Rules) Clear() {
	r.shop.t.Helper()
	for _, rule := range r.List() {
		r.Remove(rule.ID)
	}
}

// Faults are transport faults between this shop and the service.
type Faults struct{ shop *Shop }

// Add adds a fault for this shop: {Target: "webhook", Fault: "duplicate:1", Times: 1}.
func (f Faults) Add(fault Fault) (added Fault) {
	f.shop.t.Helper()
	fault.Match = merged([]Fields{fault.Match, {"shop_id": f.shop.ID}})
	f.shop.control("POST", "/_psp/faults", fault, &added)
	return added
}

// List returns the faults of this shop, newest first.
func (f Faults) List() []Fault {
	f.shop.t.Helper()
	return listed(f.shop, "/_psp/faults", func(fault Fault) Fields { return fault.Match })
}

// Remove removes a fault.
func (f Faults) Remove(id string) {
	f.shop.t.Helper()
	f.shop.control("DELETE", "/_psp/faults/"+id, nil, nil)
}

// Clear removes the faults of this shop.
func (f Faults) Clear() {
	f.shop.t.Helper()
	for _, fault := range f.List() {
		f.Remove(fault.ID)
	}
}

func listed[T any](shop *Shop, path string, match func(T) Fields) (own []T) {
	shop.t.Helper()
	var page struct{ Items []T }
	shop.control("GET", path+"?limit=1000", nil, &page)
	for _, one := range page.Items {
		if match(one)["shop_id"] == shop.ID {
			own = append(own, one)
		}
	}
	return own
}
