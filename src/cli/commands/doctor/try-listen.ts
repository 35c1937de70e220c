import { createServer } from 'node:net'

/** Returns the error code if the address cannot be used. */
export function tryListen(port: number, host: string): Promise<string | undefined> {
  return new Promise((done) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => done(error.code ?? error.message))
    server.listen({ port, host }, () => server.close(() => done(undefined)))
  })
}
