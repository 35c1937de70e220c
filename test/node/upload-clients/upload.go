// Sends each upload of the standard input with net/http and prints the statuses.
package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"
)

func main() {
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		parts := strings.Split(lines.Text(), "|")
		size, _ := strconv.Atoi(parts[4])
		request, _ := http.NewRequest(parts[0], parts[1], bytes.NewReader(bytes.Repeat([]byte("x"), size)))
		request.Header.Set("Content-Type", parts[3])
		if parts[2] != "" {
			request.Header.Set("Authorization", "Bearer "+parts[2])
		}
		response, err := http.DefaultClient.Do(request)
		if err == nil {
			_, err = io.Copy(io.Discard, response.Body)
			response.Body.Close()
		}
		if err != nil {
			fmt.Println(err)
		} else {
			fmt.Println(response.StatusCode)
		}
	}
}
