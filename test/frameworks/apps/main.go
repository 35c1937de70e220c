package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"
)

/* VERIFY */

func hooks(w http.ResponseWriter, r *http.Request) {
	rawBody, err := RAW_BODY
	if err != nil || !Verify(rawBody, r.Header.Get("X-PSP-Signature"), os.Getenv("SECRET"), time.Now(), 5*time.Minute) {
		http.Error(w, "invalid signature", http.StatusBadRequest)
		return
	}
	var event map[string]any
	if json.Unmarshal(rawBody, &event) != nil {
		http.Error(w, "not JSON", http.StatusInternalServerError)
		return
	}
	fmt.Fprint(w, "ok")
}

func main() {
	http.HandleFunc("POST /hooks", hooks)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	fmt.Printf("PORT %d\n", listener.Addr().(*net.TCPAddr).Port)
	panic(http.Serve(listener, nil))
}
