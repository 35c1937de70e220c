// Command server runs the example shop with the variables of psp, and PORT or a free port.
package main

import (
	"fmt"
	"log"
	"net"
	"net/http"
	"os"
	"strings"

	"psp.test/pspsandbox/examples/shop"
)

func main() {
	env := map[string]string{}
	for _, line := range os.Environ() {
		name, value, _ := strings.Cut(line, "=")
		env[name] = value
	}
	listener, err := net.Listen("tcp", "127.0.0.1:"+env["PORT"])
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("http://%s\n", listener.Addr())
	log.Fatal(http.Serve(listener, shop.New(env)))
}
