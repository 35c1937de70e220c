// Forwards one request to the target, and the response to the client.
import type { ClientRequest, IncomingMessage, InformationEvent, ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { HeaderList } from '../domain/delivery.ts'
import { omitUndefined } from '../domain/omit-undefined.ts'
import type { Phase } from '../domain/receiver-failures.ts'
import type { SystemClock } from '../system-clock/system-clock.ts'
import { type BodyRecorder, createBodyRecorder, type ExchangeResponse, type ExchangeSink } from './exchange.ts'
import { addTrailers, headerPairs, requestHeaders, responseHeaders } from './forwarded-headers.ts'
import {
  ConnectTimeoutError,
  closeLike,
  describeForwardingError,
  isDisconnected,
  isProxyItself,
  LoopError,
  PROXY_PREFIX,
  ProtocolSwitchError,
} from './forwarding-errors.ts'
import { printableReason, writeInformation } from './informational-responses.ts'
import { pathAt, type UpstreamTarget } from './upstream.ts'

/** ms to wait for a connection to the target. */
const CONNECT_TIMEOUT = 15_000

const UNREADABLE = 'The client sent bytes that cannot be read as HTTP, so `psp record` closed the connection.'

export interface RecorderOptions {
  readonly systemClock: SystemClock
  /** Bytes to record of each body. The client and the target get the whole body. */
  readonly bodyLimit: number
  readonly onExchange: ExchangeSink
}

export interface ForwardingOptions extends RecorderOptions {
  readonly target: UpstreamTarget
  /** The address of the proxy, to detect a target that is the proxy itself. */
  readonly ownAddress: AddressInfo | string | null
  readonly incoming: IncomingMessage
  readonly outgoing: ServerResponse
  /** The client waits for `100 Continue` before it sends the body. */
  readonly expectsContinue: boolean
  /** Whether the client sent bytes on this connection that cannot be read as HTTP. */
  readonly isUnreadable: () => boolean
  /** Called once, after the exchange was recorded. */
  readonly onEnd: () => void
  /** Called when the connection that was opened for this request is closed. Later requests may have used it too. */
  readonly onTargetClosed: () => void
}

export class Forwarding {
  readonly #options: ForwardingOptions
  readonly #startedAt: number
  readonly #started: number
  readonly #headers: HeaderList
  readonly #method: string
  readonly #path: string
  readonly #sent: BodyRecorder
  readonly #received: BodyRecorder
  #head: Omit<ExchangeResponse, 'body'> | undefined
  #response: IncomingMessage | undefined
  #wait: number | undefined
  #phase: Phase = 'connecting'
  #isOver = false
  #isContinued = false

  constructor(options: ForwardingOptions) {
    const { systemClock, incoming, target, bodyLimit } = options
    this.#options = options
    this.#startedAt = systemClock.now()
    this.#started = systemClock.monotonic()
    this.#headers = headerPairs(incoming.rawHeaders)
    this.#method = incoming.method ?? 'GET'
    this.#path = pathAt(target.url, incoming.url ?? '/')
    this.#sent = createBodyRecorder(bodyLimit)
    this.#received = createBodyRecorder(bodyLimit)
  }

  begin(): void {
    const { target, incoming, outgoing } = this.#options
    let upstream: ClientRequest
    try {
      const headers = requestHeaders(this.#headers, { host: target.url.host, method: this.#method }).flat()
      upstream = target.open(incoming.socket, { method: this.#method, path: this.#path, headers })
    } catch (error) {
      this.#refuse(error)
      return
    }
    upstream.on('socket', (socket) => this.#watch(socket, upstream))
    const guarded = <T>(action: (value: T) => void) => this.#guarded(action, upstream)
    upstream.on(
      'information',
      guarded((information) => this.#forwardInformation(information)),
    )
    upstream.on(
      'response',
      guarded((response) => this.#forwardResponse(response, upstream)),
    )
    upstream.on('upgrade', (_, socket) => {
      socket.destroy()
      this.#refuse(new ProtocolSwitchError())
    })
    upstream.on('error', (error) => this.#fail(error))
    outgoing.on('error', (error) => this.#fail(error))
    incoming.on('data', this.#sent.add)
    incoming.pipe(upstream, { end: false })
    incoming.on(
      'end',
      guarded(() => {
        addTrailers(upstream, incoming)
        upstream.end()
      }),
    )
    // The first chunk may be sent much later than the header.
    if (upstream.chunkedEncoding) upstream.flushHeaders()
    outgoing.on('close', () => {
      if (outgoing.writableFinished) return
      if (this.#options.isUnreadable()) this.#end(UNREADABLE)
      else this.#end('The client closed the connection before the end of the response.', true)
      upstream.destroy()
    })
  }

  /**
   * If the listener throws, only this exchange ends. Node throws for some messages that it can receive but not send.
   */
  #guarded<T>(action: (value: T) => void, upstream: ClientRequest): (value: T) => void {
    return (value) => {
      try {
        action(value)
      } catch (error) {
        this.#refuse(error)
        upstream.destroy()
      }
    }
  }

  /** Records the exchange as it is so far. The caller closes the connections. */
  cut(): void {
    this.#end('The recording ended before the end of the response.')
  }

  #watch(socket: Socket, request: ClientRequest): void {
    const { systemClock, ownAddress, target, onTargetClosed } = this.#options
    if (socket.readyState === 'open') {
      this.#phase = 'waiting'
      return
    }
    const late = systemClock.setTimeout(() => request.destroy(new ConnectTimeoutError()), CONNECT_TIMEOUT)
    socket.once('connect', () => {
      late.cancel()
      if (isProxyItself(socket, ownAddress)) request.destroy(new LoopError())
    })
    // With TLS, the handshake ends later than the connection.
    socket.once(target.url.protocol === 'https:' ? 'secureConnect' : 'connect', () => {
      this.#phase = 'waiting'
    })
    socket.once('close', () => {
      late.cancel()
      onTargetClosed()
    })
  }

  #forwardInformation(information: InformationEvent): void {
    const { incoming, outgoing } = this.#options
    if (information.statusCode === 100) this.#isContinued = true
    if (incoming.httpVersion !== '1.0' && !outgoing.headersSent) writeInformation(outgoing, information)
  }

  #forwardResponse(response: IncomingMessage, upstream: ClientRequest): void {
    const { incoming, outgoing, systemClock } = this.#options
    const { statusCode: status = 0, statusMessage: statusText = '' } = response
    this.#phase = 'reading'
    this.#response = response
    this.#wait = systemClock.monotonic() - this.#started
    const headers = headerPairs(response.rawHeaders)
    outgoing.sendDate = false
    const forwarded = responseHeaders(headers, incoming.httpVersion !== '1.0').flat()
    outgoing.writeHead(status, printableReason(statusText), forwarded)
    this.#head = { status, statusText, headers }
    response.on('data', this.#received.add)
    response.on('error', (error) => this.#fail(error))
    response.on(
      'end',
      this.#guarded(() => {
        if (!response.complete) return
        addTrailers(outgoing, response)
        outgoing.end()
        this.#end()
      }, upstream),
    )
    response.pipe(outgoing, { end: false })
    // An event stream may send its first byte long after its header, so the header is flushed: in the next tick, so
    // that it is sent together with a body that has already been received.
    process.nextTick(() => outgoing.flushHeaders())
  }

  #fail(error: unknown): void {
    // Bytes after the end of a response, such as a body of a 204, do not change that response.
    if (this.#isOver || this.#response?.complete) return
    if (this.#phase === 'connecting' || !isDisconnected(error)) {
      this.#refuse(error)
      return
    }
    this.#end(describeForwardingError(error, this.#options.target.url.origin, this.#phase).message)
    closeLike(this.#options.outgoing.socket, error)
  }

  /** Ends an exchange without a response to forward: sends a 502, or closes the connection if a response has begun. */
  #refuse(error: unknown): void {
    const { target, incoming, outgoing } = this.#options
    const { code, message } = describeForwardingError(error, target.url.origin, this.#phase)
    this.#end(message)
    if (outgoing.headersSent || outgoing.destroyed) {
      if (outgoing.destroyed || outgoing.socket === null) outgoing.destroy()
      // Node may not have written the header yet.
      else outgoing.flushHeaders()
      closeLike(outgoing.socket, error)
      return
    }
    incoming.unpipe()
    incoming.resume()
    const body = JSON.stringify({ error: { code, message: PROXY_PREFIX + message } })
    outgoing.writeHead(502, ['Content-Type', 'application/json', 'Content-Length', String(Buffer.byteLength(body))])
    outgoing.end(body)
  }

  #end(error?: string, isClosedByClient?: true): void {
    if (this.#isOver) return
    this.#isOver = true
    const { systemClock, target, expectsContinue, onExchange, onEnd } = this.#options
    const sent = this.#sent.recorded()
    onExchange({
      startedAt: this.#startedAt,
      ms: systemClock.monotonic() - this.#started,
      method: this.#method,
      // `OPTIONS *` has no path, so its URL would not be valid.
      url: `${target.url.origin}${this.#path.startsWith('/') ? '' : '/'}${this.#path}`,
      request: { headers: this.#headers, body: sent },
      ...omitUndefined({ wait: this.#wait, error, isClosedByClient }),
      ...(this.#head && { response: { ...this.#head, body: this.#received.recorded() } }),
      ...(expectsContinue && !this.#isContinued && sent.length === 0 && { isBodyUnsent: true }),
    })
    onEnd()
  }
}
