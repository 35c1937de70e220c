import { createServer } from 'node:net'

/** `undefined` where it worked, else the error's code. */
export function tryListen(port: number, host: string): Promise<string | undefined> {
  return new Promise((done) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => done(error.code ?? error.message))
    server.listen({ port, host }, () => server.close(() => done(undefined)))
  })
}
