// Sends one POST over an undici dispatcher and returns the response.

import type { Dispatcher } from 'undici'
import type { HeaderList, RecordedBody } from '../domain/delivery.ts'
import { omitUndefined } from '../domain/omit-undefined.ts'
import {
  describeFailure,
  describeTimeout,
  isAcceptedDespiteError,
  isReset,
  type Phase,
} from '../domain/receiver-failures.ts'
import type { Timers } from '../domain/time.ts'
import type { Connection } from './connection.ts'
import { createResponseBody } from './response-body.ts'
import type { ReceiverRequest, ReceiverResponse } from './transport.ts'

export interface Dispatchers {
  /** Reuses connections. Calls `onConnection` of the options with the connection that a request is assigned to. */
  readonly kept: Pick<Dispatcher, 'dispatch'>
  /** Opens a new connection for each request. */
  fresh(): Pick<Dispatcher, 'dispatch'>
}

/** Options of a dispatch, with an additional one for the clients of `agents.ts`. */
export interface DispatchOptions extends Dispatcher.DispatchOptions {
  readonly onConnection?: (connection: Connection) => void
}

/**
 * Ends at the deadline at the latest. Decoding the response may take a moment longer. A request that was not sent by
 * then is never sent. If a reused connection ends without a single response byte, the request is sent again on a new
 * connection. The reason is that receivers close idle connections, and that some close a connection after a response
 * without announcing it.
 */
export function exchange(
  dispatchers: Dispatchers,
  systemClock: Timers,
  request: ReceiverRequest,
): Promise<ReceiverResponse> {
  return new Promise((resolve, reject) => {
    const body = createResponseBody()
    let controller: Dispatcher.DispatchController | undefined
    let phase: Phase = 'connecting'
    let status: number | undefined
    let headers: HeaderList | undefined
    let over = false

    function end(error?: string, late = false): void {
      if (over) return
      over = true
      deadline.cancel()
      const finish = (recorded: RecordedBody | undefined) =>
        resolve(omitUndefined({ status, headers, body: recorded, error, late: late || undefined }))
      const recorded = body.recorded(headers ?? [], error === undefined)
      if (recorded instanceof Promise) recorded.then(finish, reject)
      else finish(recorded)
    }

    function cut(): void {
      controller?.abort(new Error('The exchange is over.'))
    }

    const deadline = systemClock.setTimeout(() => {
      end(describeTimeout(request.url, request.deadline_ms, phase), true)
      cut()
    }, request.deadline_ms)

    function handler(isStale: () => boolean, onStart: () => void): Dispatcher.DispatchHandler {
      return {
        onRequestStart(startedController) {
          controller = startedController
          phase = 'waiting'
          onStart()
          // The deadline passed while the request waited for a connection, so it must not be sent.
          if (over) cut()
        },
        onResponseStart(startedController, code) {
          if (code < 200) return
          status = code
          headers = headerList(startedController.rawHeaders)
          phase = 'reading'
        },
        onResponseData(_, chunk) {
          if (body.add(chunk)) return
          end()
          cut()
        },
        onResponseEnd: () => end(),
        onResponseError(_, error) {
          if (!over && isReset(error) && isStale()) return sendAgain()
          const isAccepted = isAcceptedDespiteError(status, headers ?? [], body.bytes(), error)
          end(isAccepted ? undefined : describeFailure(error, request.url, phase))
        },
      }
    }

    function dispatch(dispatcher: Pick<Dispatcher, 'dispatch'>, mayRepeat: boolean): void {
      let connection: Connection | undefined
      const isStale = () => mayRepeat && connection?.isStale() === true
      const onConnection = (assigned: Connection) => {
        connection = assigned
      }
      const options: DispatchOptions = { ...dispatchOptions(request), onConnection }
      const begin = () => connection?.begin()
      dispatcher.dispatch(options, handler(isStale, begin))
    }

    function sendAgain(): void {
      controller = undefined
      phase = 'connecting'
      attempt(() => dispatch(dispatchers.fresh(), false))
    }

    function attempt(act: () => void): void {
      try {
        act()
      } catch (error) {
        end(describeFailure(error, request.url, phase))
      }
    }

    attempt(() => dispatch(dispatchers.kept, true))
  })
}

function dispatchOptions({ url, headers, body }: ReceiverRequest): Dispatcher.DispatchOptions {
  const { origin, pathname, search } = new URL(url)
  return { origin, path: pathname + search, method: 'POST', headers: headers.flat(), body }
}

/** Converts the alternating names and values of the raw headers to pairs. */
function headerList(raw: Dispatcher.DispatchController['rawHeaders']): HeaderList {
  if (!Array.isArray(raw)) return Object.entries(raw ?? {}).map(([name, value]) => [name, String(value)])
  const list: Header[] = []
  for (let i = 0; i + 1 < raw.length; i += 2) list.push(shared(latin1(raw[i]), latin1(raw[i + 1])))
  return list
}

type Header = HeaderList[number]

const MAX_SHARED_HEADERS = 256
const MAX_SHARED_LENGTH = 256
const sharedHeaders = new Map<string, Header>()

/** Shares equal headers, because attempts are stored, and a receiver mostly sends the same headers. */
function shared(name: string, value: string): Header {
  const text = `${name}:${value}`
  const known = sharedHeaders.get(text)
  if (known !== undefined) return known
  if (sharedHeaders.size === MAX_SHARED_HEADERS) sharedHeaders.clear()
  const header = [name, value] as const
  if (text.length <= MAX_SHARED_LENGTH) sharedHeaders.set(text, header)
  return header
}

function latin1(value: Buffer | string | undefined): string {
  return typeof value === 'string' ? value : (value?.toString('latin1') ?? '')
}
