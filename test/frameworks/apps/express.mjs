import express from 'express'

/* VERIFY */

const app = express()
/* BEFORE */
app.post('/hooks', /* RAW_BODY */ undefined, (request, response) => {
  const isValid = verify(request.body, request.get('X-PSP-Signature'), process.env.SECRET)
  if (!isValid) return response.status(400).send('invalid signature')
  JSON.parse(request.body)
  response.send('ok')
})
app.use(express.json())
const server = app.listen(0, '127.0.0.1', () => console.log(`PORT ${server.address().port}`))
