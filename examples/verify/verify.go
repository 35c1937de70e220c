package main

import (
	"bufio"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
)

// Verify takes the received bytes: io.ReadAll(r.Body), before any JSON decoder.
func Verify(rawBody []byte, header, secret string, now time.Time, tolerance time.Duration) bool {
	parts := map[string]string{}
	for _, part := range strings.Split(header, ",") {
		name, value, _ := strings.Cut(strings.TrimSpace(part), "=")
		parts[name] = value
	}
	t, err := strconv.ParseInt(parts["t"], 10, 64)
	if err != nil || now.Sub(time.Unix(t, 0)).Abs() > tolerance {
		return false
	}
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(parts["t"] + "."))
	mac.Write(rawBody)
	expected := hex.EncodeToString(mac.Sum(nil))
	return hmac.Equal([]byte(expected), []byte(parts["v2"]))
}

// Each line is one case: secret, now, header and body (both base64), separated by tabs.
func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 4<<20)
	for lines.Scan() {
		field := strings.Split(lines.Text(), "\t")
		now, _ := strconv.ParseInt(field[1], 10, 64)
		header, _ := base64.StdEncoding.DecodeString(field[2])
		body, _ := base64.StdEncoding.DecodeString(field[3])
		if Verify(body, string(header), field[0], time.Unix(now, 0), 5*time.Minute) {
			fmt.Println("valid")
		} else {
			fmt.Println("invalid")
		}
	}
}
