import Fastify from 'fastify'

/* VERIFY */

const app = Fastify()
/* RAW_BODY */
app.post('/hooks', async (request, reply) => {
  const isValid = verify(request.body, request.headers['x-psp-signature'], process.env.SECRET)
  if (!isValid) return reply.code(400).send('invalid signature')
  JSON.parse(request.body)
  return 'ok'
})
await app.listen({ port: 0, host: '127.0.0.1' })
console.log(`PORT ${app.server.address().port}`)
