import { once } from 'node:events'

/** Listens on a free port and returns its URL. */
export async function listen(server) {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return `http://127.0.0.1:${server.address().port}`
}
