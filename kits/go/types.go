package pspsandbox

import "encoding/json"

// Fields are further fields of a request, or the fields that an event, a rule or a fault must match.
type Fields map[string]any

// Payment has the fields that tests use. Amounts are in minor units, times in RFC 3339.
type Payment struct {
	ID             string            `json:"id"`
	ShopID         string            `json:"shop_id"`
	OrderID        string            `json:"order_id"`
	Amount         int64             `json:"amount"`
	AmountRefunded int64             `json:"amount_refunded"`
	Currency       string            `json:"currency"`
	Method         string            `json:"method"`
	Status         string            `json:"status"`
	CreatedAt      string            `json:"created_at"`
	FinalizedAt    string            `json:"finalized_at"`
	ExpiresAt      string            `json:"expires_at"`
	Metadata       map[string]string `json:"metadata"`
	Refunds        []Refund          `json:"refunds"`
}

// CreatedPayment is the response to the creation of a payment.
type CreatedPayment struct {
	Payment     Payment `json:"payment"`
	PaymentURL  string  `json:"payment_url"`
	Idempotent  bool    `json:"idempotent"`
	Simulator   string  `json:"simulator"`
	FailureCode string  `json:"failure_code"`
}

// Refund of a payment.
type Refund struct {
	ID        string `json:"id"`
	PaymentID string `json:"payment_id"`
	Amount    int64  `json:"amount"`
	Reason    string `json:"reason"`
	Status    string `json:"status"`
}

// Payout has the fields that tests use.
type Payout struct {
	ID         string `json:"id"`
	Amount     int64  `json:"amount"`
	Currency   string `json:"currency"`
	Status     string `json:"status"`
	FailReason string `json:"fail_reason"`
}

// CreatedPayout is the response to the creation of a payout.
type CreatedPayout struct {
	Payout        Payout `json:"payout"`
	Idempotent    bool   `json:"idempotent"`
	Simulator     string `json:"simulator"`
	FailureReason string `json:"failure_reason"`
}

// Event is a webhook message. Data is the payment or payout at the time of the event, with every field.
type Event struct {
	ID       string          `json:"id"`
	Event    string          `json:"event"`
	ShopID   string          `json:"shop_id"`
	ObjectID string          `json:"object_id"`
	Data     json.RawMessage `json:"data"`
}

// Payment returns the payment that the event is about.
func (e Event) Payment() (payment Payment) {
	json.Unmarshal(e.Data, &payment)
	return payment
}

// Payout returns the payout that the event is about.
func (e Event) Payout() (payout Payout) {
	json.Unmarshal(e.Data, &payout)
	return payout
}

// Delivery is an event on its way to one URL, with its attempts.
type Delivery struct {
	ID       string    `json:"id"`
	EventID  string    `json:"event_id"`
	URL      string    `json:"url"`
	Status   string    `json:"status"`
	Attempts []Attempt `json:"attempts"`
}

// Attempt is one webhook request. Status is 0 if there was no response.
type Attempt struct {
	Number int    `json:"number"`
	Status int    `json:"status"`
	Error  string `json:"error"`
}

// Rule decides the outcome of payments, refunds and payouts that match.
type Rule struct {
	ID    string `json:"id,omitempty"`
	Plan  any    `json:"plan"` // a text, or a list of texts for consecutive objects
	Match Fields `json:"match,omitempty"`
	Times int    `json:"times,omitempty"`
	Every int    `json:"every,omitempty"`
}

// Fault is a transport fault. Target is api, webhook, stream or redirect.
type Fault struct {
	ID     string `json:"id,omitempty"`
	Target string `json:"target"`
	Fault  string `json:"fault"`
	Match  Fields `json:"match,omitempty"`
	Times  int    `json:"times,omitempty"`
	Every  int    `json:"every,omitempty"`
}

func (r Rule) key() (string, Fields)  { return r.ID, r.Match }
func (f Fault) key() (string, Fields) { return f.ID, f.Match }
