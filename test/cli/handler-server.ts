import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'

const servers: (() => void)[] = []

/** The address of a server for a handler, until `closeHandlers`. */
export async function listening(handler: RequestListener): Promise<string> {
  const server = createServer(handler)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  servers.push(() => {
    server.close()
    server.closeAllConnections()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

export function closeHandlers(): void {
  for (const close of servers.splice(0)) close()
}
