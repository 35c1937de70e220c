// Payments at an even rate, for the measures of the dashboard and of the terminal view.
import { setTimeout as sleep } from 'node:timers/promises'
import { HEADERS } from './servers.mjs'

/** ms between two batches of creates. */
const BATCH_INTERVAL = 20

/**
 * Creates payments at an even rate, independent of the response times.
 * @param rate creates per second
 * @returns the number of responses
 */
export async function loadEvenly(url, rate, seconds) {
  const deadline = performance.now() + seconds * 1000
  const pending = new Set()
  let [created, due, last] = [0, 0, performance.now()]
  while (performance.now() < deadline) {
    due += ((performance.now() - last) / 1000) * rate
    last = performance.now()
    for (; due >= 1 && pending.size < 200; due--) {
      const call = create(url, { amount: 150_000, method: 'sbp' }).then(() => {
        created++
        pending.delete(call)
      })
      pending.add(call)
    }
    await sleep(BATCH_INTERVAL)
  }
  await Promise.all(pending)
  return created
}

/** Creates payments that wait for their buyer. */
export async function fillWithPayments(url, count) {
  for (let left = count; left > 0; left -= 100) {
    const body = { amount: 10_001, method: 'sbp', metadata: { simulate: 'requires_action' } }
    await Promise.all(Array.from({ length: Math.min(100, left) }, () => create(url, body)))
  }
}

async function create(url, body) {
  const response = await fetch(`${url}/v1/public/payments`, {
    method: 'POST',
    headers: HEADERS,
    body: JSON.stringify(body),
  })
  await response.arrayBuffer()
}
