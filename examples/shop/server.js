// node examples/shop/server.js: the shop on port 3000 (or PORT), for a sandbox of `psp serve` or `psp exec`.
import { createShop, serveShop } from './shop.js'

const { PSP_URL = 'http://127.0.0.1:7770', PSP_API_KEY, PSP_WEBHOOK_SECRET, PORT = '3000' } = process.env
if (!PSP_API_KEY || !PSP_WEBHOOK_SECRET) {
  console.error('Set PSP_API_KEY and PSP_WEBHOOK_SECRET: psp serve prints them, psp exec sets them.')
  process.exit(2)
}

const url = `http://127.0.0.1:${PORT}`
const shop = createShop({
  pspUrl: PSP_URL,
  apiKey: PSP_API_KEY,
  webhookSecret: PSP_WEBHOOK_SECRET,
  hooksUrl: () => `${url}/hooks`,
})
serveShop(shop).listen(Number(PORT), '127.0.0.1', () => console.log(`The shop listens at ${url}.`))
