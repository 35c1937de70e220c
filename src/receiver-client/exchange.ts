// One POST and its answer over an undici dispatcher.
import type { Dispatcher } from 'undici'
import type { HeaderList } from '../domain/delivery.ts'
import { describeFailure, describeTimeout, isTaken, type Phase } from '../domain/exchange-failures.ts'
import type { Timers } from '../domain/timers.ts'
import { createAnswerBody } from './answer-body.ts'
import type { Answer, Outgoing } from './transport.ts'

/** Ends at the deadline whatever state the exchange is in; a request that has not left by then never leaves. */
export function exchange(agent: Pick<Dispatcher, 'dispatch'>, wall: Timers, request: Outgoing): Promise<Answer> {
  return new Promise((resolve) => {
    const body = createAnswerBody()
    let controller: Dispatcher.DispatchController | undefined
    let phase: Phase = 'connecting'
    let status: number | undefined
    let headers: HeaderList | undefined
    let over = false

    function end(error?: string, late = false): void {
      if (over) return
      over = true
      deadline.cancel()
      const recorded = body.recorded()
      resolve({
        ...(status === undefined ? {} : { status }),
        ...(headers === undefined ? {} : { headers }),
        ...(recorded === undefined ? {} : { body: recorded }),
        ...(error === undefined ? {} : { error }),
        ...(late ? { late } : {}),
      })
    }

    function cut(): void {
      controller?.abort(new Error('The exchange is over.'))
    }

    const deadline = wall.setTimeout(() => {
      end(describeTimeout(request.url, request.deadline_ms, phase), true)
      cut()
    }, request.deadline_ms)

    const handler: Dispatcher.DispatchHandler = {
      onRequestStart(started) {
        controller = started
        phase = 'waiting'
        // The deadline passed while it waited for a connection: it must not leave any more.
        if (over) cut()
      },
      onResponseStart(started, code) {
        if (code < 200) return
        status = code
        headers = headerList(started.rawHeaders)
        phase = 'reading'
      },
      onResponseData(_, chunk) {
        if (body.add(chunk)) return
        end()
        cut()
      },
      onResponseEnd: () => end(),
      onResponseError: (_, error) =>
        end(
          isTaken(status, headers ?? [], body.bytes(), error) ? undefined : describeFailure(error, request.url, phase),
        ),
    }
    try {
      const { origin, pathname, search } = new URL(request.url)
      const flat = request.headers.flat()
      agent.dispatch({ origin, path: pathname + search, method: 'POST', headers: flat, body: request.body }, handler)
    } catch (error) {
      end(describeFailure(error, request.url, phase))
    }
  })
}

/** Names and values by turns, as they came over the wire. */
function headerList(raw: Dispatcher.DispatchController['rawHeaders']): HeaderList {
  if (!Array.isArray(raw)) return Object.entries(raw ?? {}).map(([name, value]) => [name, String(value)])
  const list: Header[] = []
  for (let i = 0; i + 1 < raw.length; i += 2) list.push(shared(latin1(raw[i]), latin1(raw[i + 1])))
  return list
}

type Header = HeaderList[number]

const SHARED = 256
const seen = new Map<string, Header>()

/** Receivers answer alike, and attempts are kept: what is the same is kept once. */
function shared(name: string, value: string): Header {
  const text = `${name}:${value}`
  const known = seen.get(text)
  if (known !== undefined) return known
  if (seen.size === SHARED) seen.clear()
  const header = [name, value] as const
  if (text.length <= SHARED) seen.set(text, header)
  return header
}

function latin1(value: Buffer | string | undefined): string {
  return typeof value === 'string' ? value : (value?.toString('latin1') ?? '')
}
