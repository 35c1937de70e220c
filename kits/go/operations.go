package pspsandbox

import "time"

// Clock is the clock of the sandbox. All shops of the sandbox share it, and a test can move it forwards only.
type Clock struct{ shop *Shop }

// Now returns the time of the sandbox.
func (c Clock) Now() time.Time {
	c.shop.t.Helper()
	return control[struct{ Now time.Time }](c.shop, "GET", "clock", nil).Now
}

// Advance runs every step that is due within the duration, webhooks included.
func (c Clock) Advance(by time.Duration) {
	c.shop.t.Helper()
	control[Fields](c.shop, "POST", "clock/advance", Fields{"by": milliseconds(by)})
}

// Freeze stops the clock.
func (c Clock) Freeze() {
	c.shop.t.Helper()
	control[Fields](c.shop, "POST", "clock", Fields{"mode": "frozen"})
}

// Resume continues at the speed of the system clock.
func (c Clock) Resume() {
	c.shop.t.Helper()
	control[Fields](c.shop, "POST", "clock", Fields{"mode": "real"})
}

// Payments has the payments of the shop, and the actions of buyer and bank on them.
type Payments struct{ shop *Shop }

// Create creates a payment with an amount in minor units. The fields are the other fields of the request, such as
// order_id and metadata. outcome is the plan of the simulator, such as failed:insufficient_funds; idempotency_key is
// sent as a header.
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

// Refund refunds the amount, or the whole remainder if it is 0. The fields may be reason and idempotency_key.
func (p Payments) Refund(id string, amount int64, fields ...Fields) Refund {
	p.shop.t.Helper()
	return public[Refund](p.shop, "POST", "payments/"+id+"/refund", merged(append(fields, Fields{"amount": amount})...))
}

// Pay pays as the buyer, by SBP or another method. The payment is final at once.
func (p Payments) Pay(id string, method ...string) Payment {
	p.shop.t.Helper()
	return act[Payment](p.shop, "payments/"+id, Fields{"action": "pay"}, "method", method)
}

// Decline declines as the bank, with do_not_honor or another code. The payment is final at once.
func (p Payments) Decline(id string, failureCode ...string) Payment {
	p.shop.t.Helper()
	return act[Payment](p.shop, "payments/"+id, Fields{"action": "decline"}, "failure_code", failureCode)
}

// Expire expires the payment at once.
func (p Payments) Expire(id string) Payment {
	p.shop.t.Helper()
	return act[Payment](p.shop, "payments/"+id, Fields{"action": "expire"}, "", nil)
}

// objects identifies the objects of one kind of a shop.
type objects[T any] struct {
	shop *Shop
	kind string
}

// Settled has the payouts or refunds, which the bank settles.
type Settled[T any] objects[T]

// Settle settles a pending payout or refund as the bank: succeeded, or failed with a code.
func (s Settled[T]) Settle(id, status string, failureCode ...string) T {
	s.shop.t.Helper()
	return act[T](s.shop, s.kind+"/"+id, Fields{"action": "settle", "status": status}, "failure_code", failureCode)
}

// Payouts has the payouts of the shop, and the action of the bank on them.
type Payouts struct{ Settled[Payout] }

// Create creates a payout. The amount and the fields are as in [Payments.Create].
func (p Payouts) Create(amount int64, phone, bankID string, fields ...Fields) CreatedPayout {
	p.shop.t.Helper()
	return public[CreatedPayout](p.shop, "POST", "payouts", merged(append(fields, Fields{"amount": amount, "phone": phone, "bank_id": bankID})...))
}

// Get returns the payout.
func (p Payouts) Get(id string) Payout {
	p.shop.t.Helper()
	return public[Payout](p.shop, "GET", "payouts/"+id, nil)
}

// Refunds has the action of the bank on refunds. [Payments.Refund] creates refunds.
type Refunds = Settled[Refund]

// Counted has the rules or the faults. Times limits how often one applies.
type Counted[T any] objects[T]

// List returns the rules or faults of this shop, newest first.
func (c Counted[T]) List() []T {
	c.shop.t.Helper()
	return list[T](c.shop, c.kind)
}

// Remove removes the rule or fault with this id.
func (c Counted[T]) Remove(id string) {
	c.shop.t.Helper()
	control[any](c.shop, "DELETE", c.kind+"/"+id, nil)
}

// Clear removes all rules or faults of this shop.
func (c Counted[T]) Clear() {
	c.shop.t.Helper()
	control[any](c.shop, "DELETE", c.kind+"?shop_id="+c.shop.ShopID, nil)
}

// Rules decide the outcome of this shop's payments, refunds and payouts.
type Rules struct{ Counted[Rule] }

// Add adds a rule for this shop: {Plan: "failed:insufficient_funds", Match: Fields{"order_id": "A-*"}, Times: 1}.
func (r Rules) Add(rule Rule) Rule {
	r.shop.t.Helper()
	rule.Match = merged(rule.Match, Fields{"shop_id": r.shop.ShopID})
	return control[Rule](r.shop, "POST", "rules", rule)
}

// Faults are transport faults between this shop and the service.
type Faults struct{ Counted[Fault] }

// Add adds a fault for this shop: {Target: "webhook", Fault: "duplicate:1", Times: 1}.
func (f Faults) Add(fault Fault) Fault {
	f.shop.t.Helper()
	fault.Match = merged(fault.Match, Fields{"shop_id": f.shop.ShopID})
	return control[Fault](f.shop, "POST", "faults", fault)
}

// act acts as buyer or bank on an object, with the optional field if it has a value.
func act[T any](shop *Shop, object string, body Fields, field string, value []string) T {
	shop.t.Helper()
	if len(value) > 0 {
		body[field] = value[0]
	}
	return control[T](shop, "POST", object+"/act", body)
}
