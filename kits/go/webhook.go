package pspsandbox

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Tolerance is the accepted age of a signature, in both directions.
const Tolerance = 5 * time.Minute

// Verify returns the event of a webhook with a valid signature.
// rawBody has the received bytes: io.ReadAll(r.Body), before any JSON decoder. header is the value of X-PSP-Signature.
// now is the time to compare with, for tests with a fake clock.
func Verify(rawBody []byte, header, secret string, now ...time.Time) (Event, error) {
	if secret == "" {
		return Event{}, errors.New("Verify: the webhook secret is empty. Set PSP_WEBHOOK_SECRET")
	}
	parts := map[string]string{}
	for _, part := range strings.Split(header, ",") {
		name, value, _ := strings.Cut(strings.TrimSpace(part), "=")
		parts[name] = value
	}
	t, err := strconv.ParseUint(parts["t"], 10, 40)
	if err != nil || parts["v2"] == "" {
		return Event{}, fmt.Errorf("%w: X-PSP-Signature is missing or has another form than t=…,v2=…", ErrInvalidSignature)
	}
	if append(now, time.Now())[0].Sub(time.Unix(int64(t), 0)).Abs() > Tolerance {
		return Event{}, fmt.Errorf("%w: it was made at %d, more than %s from now", ErrInvalidSignature, t, Tolerance)
	}
	mac := hmac.New(sha256.New, []byte(strings.TrimSpace(secret)))
	mac.Write([]byte(parts["t"] + "."))
	mac.Write(rawBody)
	if !hmac.Equal([]byte(hex.EncodeToString(mac.Sum(nil))), []byte(parts["v2"])) {
		return Event{}, fmt.Errorf("%w: verify the received bytes, with the whs_ secret of this shop", ErrInvalidSignature)
	}
	var event Event
	return event, json.Unmarshal(rawBody, &event)
}
