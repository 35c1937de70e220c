// A transport whose answers a test gives one by one, and the turns of the loop between them.
import type { Transport } from '../../src/receiver-client/transport.ts'

/** Answers when it is told to. */
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

/** Starts are spread over turns by what a turn has time for: a busy machine takes more of them. */
export const reaches = async (list: readonly unknown[], length: number) => {
  while (list.length < length) await turn()
  await turns()
}
