import { once } from 'node:events'

/** On a free port; resolves with its url. */
export async function listen(server) {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return `http://127.0.0.1:${server.address().port}`
}
