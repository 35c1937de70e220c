// Package shop is a shop on net/http. A signed webhook changes an order, and each event counts once.
package shop

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"sync"

	pspsandbox "psp.test/pspsandbox"
)

var statuses = map[string]string{
	"payment.succeeded": "paid", "payment.failed": "failed", "payment.expired": "expired", "payment.cancelled": "cancelled",
}

// Order has the state that the webhooks confirmed.
type Order struct {
	ID         string `json:"id"`
	Amount     int64  `json:"amount"`
	Status     string `json:"status"`
	Paid       int64  `json:"paid"`
	Webhooks   int    `json:"webhooks"`
	PaymentID  string `json:"payment_id"`
	PaymentURL string `json:"payment_url"`
}

type shop struct {
	env    map[string]string
	mutex  sync.Mutex
	orders map[string]*Order
	seen   map[string]bool
}

// New returns the shop as a handler. The environment has PSP_URL, PSP_API_KEY and PSP_WEBHOOK_SECRET.
func New(env map[string]string) http.Handler {
	s := &shop{env: env, orders: map[string]*Order{}, seen: map[string]bool{}}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /orders", s.place)
	mux.HandleFunc("GET /orders/{id}", s.get)
	mux.HandleFunc("POST /hooks", s.hooks)
	return mux
}

func (s *shop) place(w http.ResponseWriter, r *http.Request) {
	order := &Order{Status: "pending"}
	if err := json.NewDecoder(r.Body).Decode(order); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	s.mutex.Lock()
	if known := s.orders[order.ID]; known != nil {
		order = known
	}
	s.orders[order.ID] = order
	s.mutex.Unlock()
	created, err := s.pay(order.ID, order.Amount)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	order.PaymentID, order.PaymentURL = created.Payment.ID, created.PaymentURL
	json.NewEncoder(w).Encode(order)
}

// pay creates the payment of an order. A repeated call returns the same payment.
func (s *shop) pay(orderID string, amount int64) (created pspsandbox.CreatedPayment, err error) {
	body, _ := json.Marshal(map[string]any{"amount": amount, "order_id": orderID})
	request, err := http.NewRequest("POST", s.env["PSP_URL"]+"/v1/public/payments", bytes.NewReader(body))
	if err != nil {
		return created, err
	}
	request.Header.Set("Authorization", "Bearer "+s.env["PSP_API_KEY"])
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Idempotency-Key", orderID)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return created, err
	}
	defer response.Body.Close()
	if response.StatusCode >= 400 {
		return created, fmt.Errorf("the provider responded with %s", response.Status)
	}
	return created, json.NewDecoder(response.Body).Decode(&created)
}

func (s *shop) get(w http.ResponseWriter, r *http.Request) {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	order := s.orders[r.PathValue("id")]
	if order == nil {
		http.NotFound(w, r)
		return
	}
	json.NewEncoder(w).Encode(order)
}

func (s *shop) hooks(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	event, err := pspsandbox.Verify(body, r.Header.Get("X-PSP-Signature"), s.env["PSP_WEBHOOK_SECRET"])
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	order := s.orders[event.Payment().OrderID]
	if order == nil {
		return
	}
	order.Webhooks++
	if s.seen[event.ID] {
		return
	}
	s.seen[event.ID] = true
	if status := statuses[event.Event]; status != "" {
		order.Status = status
	}
	if event.Event == "payment.succeeded" {
		order.Paid += event.Payment().Amount
	}
}
