// One stream for several tabs: the tab with the lock reads it, and the next one continues if it is closed.
import { expect, it } from 'vitest'
import type { StreamEvent, StreamState } from '../../src/client/follow.ts'
import { type Locks, shareStream, type TabChannel } from '../../src/dashboard/state/tab-stream.ts'
import type { OpenStream } from '../../src/view-model/feed/feed.ts'

/** A browser with a lock, a channel and a server, whose messages the test sends. */
function createBrowser() {
  const members = new Set<(message: unknown) => void>()
  const connections: { from: string; send(message: StreamEvent): void }[] = []
  let posted = 0
  let holder = Promise.resolve()
  const locks: Locks = {
    request(_name, { signal }, run) {
      const turn = holder.then(() => (signal.aborted ? undefined : run()))
      holder = turn.then(
        () => {},
        () => {},
      )
      return turn
    },
  }
  const channel = (): TabChannel => {
    let own = (_: unknown) => {}
    return {
      post(message) {
        posted++
        for (const member of members) if (member !== own) member(message)
      },
      listen(listener) {
        own = listener
        members.add(own)
      },
      close: () => void members.delete(own),
    }
  }
  const open: OpenStream = async function* ({ from, signal, onState }) {
    const queue: StreamEvent[] = []
    let wake = () => {}
    connections.push({
      from,
      send(message) {
        queue.push(message)
        wake()
      },
    })
    signal.addEventListener('abort', () => wake(), { once: true })
    onState({ state: 'open', isReconnect: false })
    while (!signal.aborted) {
      yield* queue.splice(0)
      if (queue.length > 0 || signal.aborted) continue
      await new Promise<void>((resolve) => {
        wake = resolve
      })
    }
  }
  return { locks, channel, open, connections, posted: () => posted }
}

const event = (id: number, name = 'payment'): StreamEvent => ({ id: String(id), event: name, data: '{}' })

function openTab(browser: ReturnType<typeof createBrowser>, from: string) {
  const ended = new AbortController()
  const ids: string[] = []
  const states: StreamState['state'][] = []
  const open = shareStream({ ...browser, name: 'test' })
  const read = (async () => {
    for await (const { id } of open({ from, signal: ended.signal, onState: ({ state }) => void states.push(state) }))
      ids.push(id ?? '')
  })()
  return { ids, states, close: () => ended.abort(), read }
}

const settle = () => new Promise<void>((resolve) => void setImmediate(resolve))

it('a second tab gets the state and the messages of the first one, and opens no connection', async () => {
  const browser = createBrowser()
  const one = openTab(browser, '10')
  await settle()
  const two = openTab(browser, '11')
  await settle()
  browser.connections[0]?.send(event(11))
  browser.connections[0]?.send(event(12))
  await settle()
  expect([one.ids, two.ids, two.states]).toEqual([['11', '12'], ['12'], ['open']])
  expect(browser.connections.map(({ from }) => from)).toEqual(['10'])
})

it('if the first tab is closed, the second one continues after its last message', async () => {
  const browser = createBrowser()
  const one = openTab(browser, '10')
  await settle()
  const two = openTab(browser, '10')
  const three = openTab(browser, '10')
  await settle()
  browser.connections[0]?.send(event(11))
  await settle()
  one.close()
  await one.read
  await settle()
  expect(browser.connections.map(({ from }) => from)).toEqual(['10', '11'])
  browser.connections[1]?.send(event(11))
  browser.connections[1]?.send(event(12))
  await settle()
  expect([two.ids, three.ids]).toEqual([
    ['11', '12'],
    ['11', '12'],
  ])
})

it('messages with smaller ids are accepted after a gap, because another server may have sent them', async () => {
  const browser = createBrowser()
  const tab = openTab(browser, '100')
  await settle()
  for (const message of [event(5), event(6, 'gap'), event(7)]) browser.connections[0]?.send(message)
  await settle()
  expect(tab.ids).toEqual(['6', '7'])
})

it('a batch is passed on as one message, and may have smaller ids after a gap', async () => {
  const browser = createBrowser()
  const one = openTab(browser, '100')
  await settle()
  const two = openTab(browser, '100')
  await settle()
  const posted = browser.posted()
  for (const message of [event(110, 'batch'), event(6, 'gap'), event(9, 'batch')]) browser.connections[0]?.send(message)
  await settle()
  expect([one.ids, two.ids, browser.posted() - posted]).toEqual([['110', '6', '9'], ['110', '6', '9'], 3])
})

it('a single tab passes no message on', async () => {
  const browser = createBrowser()
  openTab(browser, '10')
  await settle()
  const before = browser.posted()
  browser.connections[0]?.send(event(11))
  await settle()
  expect(browser.posted()).toBe(before)
})

it('a tab without locks has its own connection', () => {
  const browser = createBrowser()
  const open = shareStream({ ...browser, locks: undefined, name: 'test' })
  expect(open).toBe(browser.open)
})
