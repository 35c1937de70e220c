// A receiver that responds with 200 and records the ids of the events.
import { createServer } from 'node:http'

export async function startReceiver() {
  const events = new Set()
  const server = createServer((request, response) => {
    events.add(request.headers['x-psp-event-id'])
    request.resume().on('end', () => response.end())
  })
  await new Promise((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  return {
    url: `http://127.0.0.1:${server.address().port}/hooks`,
    has: (id) => events.has(id),
    ids: () => [...events],
    get count() {
      return events.size
    },
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}
