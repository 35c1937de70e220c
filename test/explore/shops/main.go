// A shop in Go that keeps its orders in memory. The variable BUG plants one bug.
package main

import (
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
)

type event struct {
	ID    string `json:"id"`
	Event string `json:"event"`
	Data  struct {
		ID       string `json:"id"`
		OrderID  string `json:"order_id"`
		Amount   int    `json:"amount"`
		Refunded int    `json:"amount_refunded"`
		Status   string `json:"status"`
	} `json:"data"`
}

type payment struct {
	order            string
	amount, refunded int
	status           string
}

var (
	bug      = os.Getenv("BUG")
	rank     = map[string]int{"failed": 1, "expired": 1, "cancelled": 1, "succeeded": 2, "refunded": 3}
	mutex    sync.Mutex
	payments = map[string]payment{}
	paidOut  = map[string]int{}
	seen     = map[string]bool{}
)

func apply(e event) {
	mutex.Lock()
	defer mutex.Unlock()
	if strings.HasPrefix(e.Event, "payout.") {
		if e.Event == "payout.succeeded" || bug == "subtracts failed payouts" {
			paidOut[e.Data.ID] = e.Data.Amount
		}
		return
	}
	key := e.ID
	if bug == "knows events by their payment" {
		key = e.Event + " " + e.Data.ID
	}
	if seen[key] {
		return
	}
	seen[key] = true
	known := payments[e.Data.ID]
	next := payment{e.Data.OrderID, e.Data.Amount, max(known.refunded, e.Data.Refunded), known.status}
	isLate := bug == "lets an expired payment close a paid order" && e.Event == "payment.expired"
	if rank[e.Data.Status] > rank[known.status] || isLate {
		next.status = e.Data.Status
	}
	if isLate {
		for id, other := range payments {
			if other.order == e.Data.OrderID {
				other.status = "expired"
				payments[id] = other
			}
		}
	}
	payments[e.Data.ID] = next
}

// sums returns what was received and refunded, for one order or for all if order is empty.
func sums(order string) (received, refunded int, known bool) {
	mutex.Lock()
	defer mutex.Unlock()
	for _, one := range payments {
		if order != "" && one.order != order {
			continue
		}
		known = true
		if rank[one.status] > 1 {
			received += one.amount
			refunded += one.refunded
		}
	}
	return
}

func main() {
	http.HandleFunc("/hooks", func(w http.ResponseWriter, r *http.Request) {
		var e event
		if json.NewDecoder(r.Body).Decode(&e) != nil {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		apply(e)
	})
	http.HandleFunc("/orders/", func(w http.ResponseWriter, r *http.Request) {
		received, refunded, known := sums(strings.TrimPrefix(r.URL.Path, "/orders/"))
		if !known {
			w.WriteHeader(http.StatusNotFound)
			return
		}
		status := "paid"
		switch {
		case received == 0:
			status = "open"
		case refunded >= received:
			status = "refunded"
		case refunded > 0:
			status = "partly_refunded"
		}
		json.NewEncoder(w).Encode(map[string]any{"status": status, "received": received, "refunded": refunded})
	})
	http.HandleFunc("/balance", func(w http.ResponseWriter, r *http.Request) {
		received, refunded, _ := sums("")
		balance := received - refunded
		mutex.Lock()
		for _, amount := range paidOut {
			balance -= amount
		}
		mutex.Unlock()
		json.NewEncoder(w).Encode(map[string]int{"balance": balance})
	})
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	fmt.Println("PORT", listener.Addr().(*net.TCPAddr).Port)
	http.Serve(listener, nil)
}
