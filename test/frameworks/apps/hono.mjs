import { serve } from '@hono/node-server'
import { Hono } from 'hono'

/* VERIFY */

const app = new Hono()
app.post('/hooks', async (c) => {
  const rawBody = Buffer.from(/* RAW_BODY */ undefined)
  if (!verify(rawBody, c.req.header('X-PSP-Signature'), process.env.SECRET)) return c.text('invalid signature', 400)
  JSON.parse(rawBody)
  return c.text('ok')
})
serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) => console.log(`PORT ${port}`))
