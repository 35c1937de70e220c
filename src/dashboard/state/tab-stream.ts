// One stream for all tabs, because browsers open only six connections to an HTTP/1.1 server. The tab that holds the
// lock reads the stream and passes its messages to the other tabs. If that tab is closed, another one continues after
// the last message.
import type { StreamEvent, StreamState } from '../../client/follow.ts'
import type { OpenStream } from '../../view-model/feed/feed.ts'

type Envelope =
  | { readonly kind: 'message'; readonly message: StreamEvent }
  | { readonly kind: 'state'; readonly state: StreamState }
  /** A new tab asks for the state of the connection. */
  | { readonly kind: 'hello' }
  /** The response to `hello` of a tab that does not know the state. */
  | { readonly kind: 'here' }

/** The part of `navigator.locks` that is used. Browsers offer it only to secure pages, such as those of localhost. */
export interface Locks {
  request(name: string, options: { signal: AbortSignal }, run: () => Promise<void>): Promise<unknown>
}

export interface TabChannel {
  post(message: unknown): void
  listen(listener: (message: unknown) => void): void
  close(): void
}

export interface TabStreamPorts {
  /** The connection that the leading tab uses. */
  readonly open: OpenStream
  readonly locks: Locks | undefined
  readonly channel: (name: string) => TabChannel
  /** Distinguishes servers at one origin. */
  readonly name: string
}

/** Begins to listen at once, so that no message is lost between the lists and the first read. */
export function shareStream({ open, locks, channel: openChannel, name }: TabStreamPorts): OpenStream {
  if (locks === undefined) return open
  const channel = openChannel(name)
  const queue: StreamEvent[] = []
  let wake = () => {}
  let onState = (_: StreamState) => {}
  let leaderState: StreamState | undefined
  let isLeader = false
  /** A single tab does not post messages, because posting costs time. */
  let hasOthers = false
  let failure: { readonly error: unknown } | undefined

  function receive(message: StreamEvent): void {
    queue.push(message)
    wake()
  }

  channel.listen((received) => {
    const envelope = received as Envelope
    hasOthers = true
    if (envelope.kind === 'hello') {
      if (isLeader && leaderState !== undefined) post({ kind: 'state', state: leaderState })
      else post({ kind: 'here' })
    }
    if (isLeader) return
    if (envelope.kind === 'message') receive(envelope.message)
    if (envelope.kind === 'state') onState(envelope.state)
  })
  post({ kind: 'hello' })

  function post(envelope: Envelope): void {
    channel.post(envelope)
  }

  return async function* messages({ from, signal, onState: report }) {
    let last = Number(from)
    onState = report
    const lead = async () => {
      isLeader = true
      const setState = (state: StreamState) => {
        leaderState = state
        post({ kind: 'state', state })
        report(state)
      }
      for await (const message of open({ from: String(last), signal, onState: setState })) {
        if (hasOthers) post({ kind: 'message', message })
        receive(message)
      }
    }
    signal.addEventListener('abort', () => wake(), { once: true })
    locks.request(name, { signal }, lead).catch((error: unknown) => {
      failure = { error }
      wake()
    })
    // The response to the first `hello` may have come before `report` was known.
    post({ kind: 'hello' })
    try {
      while (!signal.aborted) {
        for (const message of queue.splice(0)) {
          const id = Number(message.id)
          // A new leader may repeat messages. After a gap, another server may use smaller ids.
          if (id <= last && message.event !== 'gap') continue
          last = id
          yield message
        }
        if (failure !== undefined) throw failure.error
        if (queue.length === 0 && !signal.aborted) {
          await new Promise<void>((resolve) => {
            wake = resolve
          })
        }
      }
    } finally {
      channel.close()
    }
  }
}
