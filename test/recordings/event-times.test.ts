import { expect, test } from 'vitest'
import { EventCollector } from '../../src/recordings/collect-events.ts'
import { createMasking } from '../../src/recordings/masking.ts'

test('an event with a time that cannot be written is reported with its file and entry', () => {
  const problems: string[] = []
  const collector = new EventCollector({
    key: Buffer.alloc(32, 7),
    masking: createMasking({ key: Buffer.alloc(32, 7) }),
    check: () => ({ signature: 'missing' }),
    now: 0,
    onInvalid: ({ message }: Error) => void problems.push(message),
  } as unknown as ConstructorParameters<typeof EventCollector>[0])
  const body = Buffer.from('{"id":"evt_1","event":"payment.succeeded","created_at":"2026-05-06T12:00:00Z","data":{}}')
  const add = (at: number) => collector.add({ place: 'entry 3', at, body, headers: [], about: '' }, 'a.har')
  expect([add(8e15), add(Date.UTC(12026, 0, 1)), add(Date.UTC(2026, 0, 1))]).toEqual([true, true, true])
  const message = 'a.har entry 3 has a time that is not between the years 1970 and 9999.'
  expect(problems).toEqual([message, message])
  expect(collector.collected.events).toHaveLength(1)
})

test('events of a file without times of receipt keep the order of the file', () => {
  const key = Buffer.alloc(32, 7)
  const options = { key, masking: createMasking({ key }), check: () => ({ signature: 'missing' as const }), now: 0 }
  const collector = new EventCollector({ ...options, onInvalid() {} })
  const lines = [
    ['evt_1', '12:00:05'],
    ['evt_2', '12:00:02'],
    ['evt_3', '12:00:09'],
    ['evt_1', '12:00:05'],
  ]
  collector.beginFile()
  for (const [at, [id, time]] of lines.entries()) {
    const body = `{"id":"${id}","event":"payment.succeeded","created_at":"2026-05-06T${time}Z","data":{}}`
    collector.add({ place: `line ${at + 1}`, body: Buffer.from(body), headers: [], about: '' }, 'a.ndjson')
  }
  const times = collector.collected.events.map(({ received_at }) => received_at.slice(11, 19))
  expect(times).toEqual(['12:00:05', '12:00:05', '12:00:09', '12:00:09'])
})
