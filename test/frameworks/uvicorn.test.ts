// uvicorn ends a connection after an error of the application, without announcing it in the response.
import { createHmac } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import { RAW_BODY_CODE } from '../../src/domain/remediation.ts'
import { createTransport } from '../../src/receiver-client/undici-transport.ts'
import { createSystemClock } from '../../src/system-clock/system-clock.ts'
import { missing, SECRET, startHandler } from './programs.ts'

const why = await missing('FastAPI')

test.skipIf(why !== undefined)(`a webhook after a 500 of uvicorn arrives (${why ?? 'installed'})`, async () => {
  const systemClock = createSystemClock()
  const { url, stop } = await startHandler('FastAPI', { rawBody: RAW_BODY_CODE.FastAPI })
  const transport = createTransport(systemClock)
  onTestFinished(async () => {
    await transport.close()
    await stop()
  })
  async function send(body: string) {
    const t = Math.floor(systemClock.now() / 1000)
    const v2 = createHmac('sha256', SECRET).update(`${t}.${body}`).digest('hex')
    const headers = [['X-PSP-Signature', `t=${t},v2=${v2}`]] as const
    const { status, error } = await transport.send({ url, headers, body: Buffer.from(body), deadline_ms: 60_000 })
    return error ?? status
  }
  const results: (string | number | undefined)[] = []
  async function sendPairs(lane: number): Promise<void> {
    for (let round = 0; round < 60; round++) {
      results.push(await send('not JSON'))
      // The kept connection is offered again before or after its end arrives.
      for (let turn = 0; turn < (round + lane) % 5; turn++) await new Promise((resolve) => void setImmediate(resolve))
      results.push(await send('{}'))
    }
  }
  await Promise.all([0, 1, 2, 3, 4, 5, 6, 7].map(sendPairs))
  const others = results.filter((result) => result !== 200 && result !== 500)
  expect(others).toEqual([])
  expect(results.filter((result) => result === 200)).toHaveLength(480)
})
