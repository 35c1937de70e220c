# Sends each upload of the standard input with curl, without waiting for 100 Continue, and prints the statuses.
set -f
while IFS="$(printf '|')" read -r method url key type size; do
  head -c "$size" /dev/zero | curl -s -S -o /dev/null -w '%{http_code}\n' -X "$method" "$url" --data-binary @- \
    -H "Expect:" -H "Content-Type: $type" -H "Authorization: Bearer $key" 2>&1
done
