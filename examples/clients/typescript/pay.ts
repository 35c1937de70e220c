// Creates a payment with the client that hey-api generated, and prints its id.
import { client } from './psp/client.gen'
import { createPayment } from './psp/sdk.gen'

client.setConfig({ baseUrl: process.env.PSP_URL, auth: process.env.PSP_API_KEY })
const { data } = await createPayment({ body: { amount: 150_000 }, throwOnError: true })
console.log(data.payment.id)
