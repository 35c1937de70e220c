// A transport whose responses a test sends one by one, and a wait for turns of the event loop.
import type { Transport } from '../../src/receiver-client/transport.ts'

/** Responds when the test calls it. */
export function manualTransport() {
  const sent: { url: string; answer: (status: number) => void }[] = []
  const transport: Transport = ({ url }) =>
    new Promise((resolve) => void sent.push({ url, answer: (status) => resolve({ status }) }))
  return { transport, sent }
}

const turn = () => new Promise<void>((resolve) => void setImmediate(resolve))

export const turns = async () => {
  for (let i = 0; i < 5; i++) await turn()
}

/** Waits for several turns, because a busy machine spreads starts over more of them. */
export const reaches = async (list: readonly unknown[], length: number) => {
  while (list.length < length) await turn()
  await turns()
}
