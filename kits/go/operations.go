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
	return control[struct{ Now time.Time }](c.shop, "GET", "/_psp/clock", nil).Now
}

// Advance runs every step that is due within the duration, webhooks included.
func (c Clock) Advance(by time.Duration) {
	c.shop.t.Helper()
	control[Fields](c.shop, "POST", "/_psp/clock/advance", Fields{"by": fmt.Sprintf("%dms", by.Milliseconds())})
}

// Freeze stops the clock.
func (c Clock) Freeze() {
	c.shop.t.Helper()
	control[Fields](c.shop, "POST", "/_psp/clock", Fields{"mode": "frozen"})
}

// Resume continues at the speed of the system clock.
func (c Clock) Resume() {
	c.shop.t.Helper()
	control[Fields](c.shop, "POST", "/_psp/clock", Fields{"mode": "real"})
}

// Payments of the shop, and the acts of buyer and bank on them.
type Payments struct{ shop *Shop }

// Create creates a payment, in minor units. The fields are the others of the request, such as order_id and metadata.
// The field outcome is the plan of the simulator, such as failed:insufficient_funds, and idempotency_key is a header.
func (p Payments) Create(amount int64, fields ...Fields) CreatedPayment {
	p.shop.t.Helper()
	return public[CreatedPayment](p.shop, "POST", "payments", merged(append(fields, Fields{"amount": amount})...))
}

// Get returns the payment.
func (p Payments) Get(id string) Payment {
	p.shop.t.Helper()
	return public[Payment](p.shop, "GET", "payments/"+id, nil)
}

// Cancel cancels a pending payment.
func (p Payments) Cancel(id string) {
	p.shop.t.Helper()
	public[Fields](p.shop, "POST", "payments/"+id+"/cancel", nil)
}

// Refund refunds the amount, or for 0 the whole remainder. The fields are reason and idempotency_key.
func (p Payments) Refund(id string, amount int64, fields ...Fields) Refund {
	p.shop.t.Helper()
	return public[Refund](p.shop, "POST", "payments/"+id+"/refund", merged(append(fields, Fields{"amount": amount})...))
}

// Pay pays as the buyer, by SBP unless a method is given. The payment is final at once.
func (p Payments) Pay(id string, method ...string) Payment {
	p.shop.t.Helper()
	return act[Payment](p.shop, "payments/"+id, Fields{"action": "pay", "method": append(method, "sbp")[0]})
}

// Decline declines as the bank: do_not_honor, or the given code. The payment is final at once.
func (p Payments) Decline(id string, failureCode ...string) Payment {
	p.shop.t.Helper()
	code := append(failureCode, "do_not_honor")[0]
	return act[Payment](p.shop, "payments/"+id, Fields{"action": "decline", "failure_code": code})
}

// Expire expires the payment at once.
func (p Payments) Expire(id string) Payment {
	p.shop.t.Helper()
	return act[Payment](p.shop, "payments/"+id, Fields{"action": "expire"})
}

// Payouts of the shop, and the act of the bank on them.
type Payouts struct{ shop *Shop }

// Create creates a payout, in minor units, with the fields of [Payments.Create].
func (p Payouts) Create(amount int64, phone, bankID string, fields ...Fields) CreatedPayout {
	p.shop.t.Helper()
	body := append(fields, Fields{"amount": amount, "phone": phone, "bank_id": bankID})
	return public[CreatedPayout](p.shop, "POST", "payouts", merged(body...))
}

// Get returns the payout.
func (p Payouts) Get(id string) Payout {
	p.shop.t.Helper()
	return public[Payout](p.shop, "GET", "payouts/"+id, nil)
}

// Settle settles a pending payout as the bank: succeeded, or failed with a code.
func (p Payouts) Settle(id, status string, failureCode ...string) Payout {
	p.shop.t.Helper()
	return settle[Payout](p.shop, "payouts/"+id, status, failureCode)
}

// Refunds has the act of the bank on refunds. [Payments.Refund] creates them.
type Refunds struct{ shop *Shop }

// Settle settles a pending refund as the bank: succeeded, or failed with a code.
func (r Refunds) Settle(id, status string, failureCode ...string) Refund {
	r.shop.t.Helper()
	return settle[Refund](r.shop, "refunds/"+id, status, failureCode)
}

// Rules decide the outcome of this shop's payments, refunds and payouts.
type Rules struct{ counted[Rule] }

// Add adds a rule for this shop: {Plan: "failed:insufficient_funds", Match: Fields{"order_id": "A-*"}, Times: 1}.
func (r Rules) Add(rule Rule) Rule {
	r.shop.t.Helper()
	rule.Match = merged(rule.Match, Fields{"shop_id": r.shop.ID})
	return control[Rule](r.shop, "POST", "/_psp/rules", rule)
}

// Faults are transport faults between this shop and the service.
type Faults struct{ counted[Fault] }

// Add adds a fault for this shop: {Target: "webhook", Fault: "duplicate:1", Times: 1}.
func (f Faults) Add(fault Fault) Fault {
	f.shop.t.Helper()
	fault.Match = merged(fault.Match, Fields{"shop_id": f.shop.ID})
	return control[Fault](f.shop, "POST", "/_psp/faults", fault)
}

// counted are rules or faults, which apply a limited number of times.
type counted[T interface{ key() (string, Fields) }] struct {
	shop *Shop
	kind string
}

// List returns those of this shop, newest first.
func (c counted[T]) List() (own []T) {
	c.shop.t.Helper()
	for _, one := range control[struct{ Items []T }](c.shop, "GET", "/_psp/"+c.kind+"?limit=1000", nil).Items {
		if _, match := one.key(); match["shop_id"] == c.shop.ID {
			own = append(own, one)
		}
	}
	return own
}

// Remove removes one by its id.
func (c counted[T]) Remove(id string) {
	c.shop.t.Helper()
	control[Fields](c.shop, "DELETE", "/_psp/"+c.kind+"/"+id, nil)
}

// Clear removes those of this shop.
func (c counted[T]) Clear() {
	c.shop.t.Helper()
	for _, one := range c.List() {
		id, _ := one.key()
		c.Remove(id)
	}
}

// act is an act of buyer or bank on an object.
func act[T any](shop *Shop, object string, body Fields) T {
	shop.t.Helper()
	return control[T](shop, "POST", "/_psp/"+object+"/act", body)
}

func settle[T any](shop *Shop, object, status string, failureCode []string) T {
	shop.t.Helper()
	body := Fields{"action": "settle", "status": status}
	if len(failureCode) > 0 {
		body["failure_code"] = failureCode[0]
	}
	return act[T](shop, object, body)
}
