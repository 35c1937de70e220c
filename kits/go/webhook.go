package pspsandbox

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Tolerance is the accepted difference between the time of a signature and the current time.
const Tolerance = 5 * time.Minute

// Verify returns the event of a webhook with a valid signature.
// rawBody has the received bytes: io.ReadAll(r.Body), before any JSON decoder. header is the value of X-PSP-Signature.
// now is the time to compare with, for tests with a fake clock.
func Verify(rawBody []byte, header, secret string, now ...time.Time) (event Event, err error) {
	parts := map[string]string{}
	for _, part := range strings.Split(header, ",") {
		name, value, _ := strings.Cut(strings.TrimSpace(part), "=")
		parts[name] = value
	}
	t, err := strconv.ParseUint(parts["t"], 10, 40)
	age := append(now, time.Now())[0].Sub(time.Unix(int64(t), 0)).Abs()
	expected := sign(strings.TrimSpace(secret), append([]byte(parts["t"]+"."), rawBody...))
	switch {
	case secret == "":
		return event, fmt.Errorf("Verify: the webhook secret is empty. Set PSP_WEBHOOK_SECRET")
	case err != nil || parts["v2"] == "":
		return event, fmt.Errorf("%w: X-PSP-Signature is missing, or its format is not t=…,v2=…", ErrInvalidSignature)
	case age > Tolerance:
		return event, fmt.Errorf("%w: it was made at %d, more than %s from now", ErrInvalidSignature, t, Tolerance)
	case !hmac.Equal([]byte(expected), []byte(parts["v2"])):
		return event, fmt.Errorf("%w: verify the received bytes, with the whs_ secret of this shop", ErrInvalidSignature)
	}
	err = json.Unmarshal(rawBody, &event)
	return event, err
}

// sign returns the HMAC-SHA256 of the bytes, in hexadecimal.
func sign(secret string, payload []byte) string {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write(payload)
	return fmt.Sprintf("%x", mac.Sum(nil))
}
