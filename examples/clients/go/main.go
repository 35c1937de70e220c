// Creates a payment with the client that oapi-codegen generated, and prints its id.
package main

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"os"

	"example.com/pay/public"
)

func main() {
	authorize := func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+os.Getenv("PSP_API_KEY"))
		return nil
	}
	client, err := public.NewClientWithResponses(os.Getenv("PSP_URL"), public.WithRequestEditorFn(authorize))
	if err != nil {
		log.Fatal(err)
	}
	created, err := client.CreatePaymentWithResponse(context.Background(), nil, public.CreatePayment{Amount: 150_000})
	if err != nil {
		log.Fatal(err)
	}
	if created.JSON201 == nil {
		log.Fatal(created.Status(), string(created.Body))
	}
	fmt.Println(created.JSON201.Payment.Id)
}
