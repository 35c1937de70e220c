import { afterEach, beforeEach } from 'vitest'
import { startListener, startReceiver, startTestServer, type TestReceiver, type TestServer } from '../helpers.ts'

/** Starts a server and a receiver for each test of the file. */
export function setUpListen() {
  let server: TestServer
  let receiver: TestReceiver
  beforeEach(async () => {
    server = await startTestServer()
    receiver = await startReceiver()
  })
  afterEach(async () => {
    await receiver.close()
    await server.close()
  })
  return {
    get server() {
      return server
    },
    get receiver() {
      return receiver
    },
    /** Runs `psp listen` until it is ready. */
    listen: (...flags: string[]) => startListener(server, ...flags),
  }
}
