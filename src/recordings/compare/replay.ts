// Replays a recording against a fresh sandbox, and compares each response.
import { type Client, createClient } from '../../client/client.ts'
import type { FetchInit } from '../../client/fetch-like.ts'
import { isSuccess } from '../../domain/http-response.ts'
import { rfc3339 } from '../../domain/time.ts'
import type { SystemClock } from '../../system-clock/system-clock.ts'
import { createIdMap } from './id-map.ts'
import { ObjectDriver } from './object-driver.ts'
import type { PreparedReplay } from './prepare-replay.ts'
import { type CallResponse, type HeaderMap, type RecordedCall, toCallResponse } from './recorded-call.ts'
import { replayRequest } from './replay-request.ts'
import { ReplayResults } from './replay-results.ts'
import { type ReplayCredentials, ReplayShops } from './replay-shops.ts'
import { clockTime, type ReplayStep } from './replay-steps.ts'
import { ReplayStreams } from './replay-streams.ts'
import { isOverloadOrOutage, reasonToSkip } from './replayable.ts'

type ReplayFetch = (url: string, init: FetchInit) => Promise<Response>

export interface ReplaySandbox {
  readonly fetch: ReplayFetch
  close(): Promise<void>
}

/** Starts an empty sandbox whose clock is frozen at `now`, and that sends no webhooks. */
export type StartSandbox = (options: {
  readonly settings: { readonly [name: string]: unknown }
  readonly now: number
}) => Promise<ReplaySandbox>

export interface ReplayOptions {
  readonly prepared: PreparedReplay
  readonly settings: { readonly [name: string]: unknown }
  readonly start: StartSandbox
  readonly systemClock: SystemClock
  readonly signal?: AbortSignal | undefined
  /** @param part the part of the steps that are done, from 0 to less than 1 */
  readonly onProgress?: ((part: number) => void) | undefined
}

/** With these settings the sandbox never decides an outcome: all outcomes come from the recording. */
const NO_DECISIONS = {
  buyer: 'manual',
  'delays.session': '36500d',
  'delays.bank': '36500d',
  'delays.refund': '0s',
  rate_limit: 0,
}

const BASE = 'http://127.0.0.1'

export async function replay(options: ReplayOptions): Promise<ReplayResults> {
  const { prepared, settings, start, signal, onProgress } = options
  const { steps, startTime: now } = prepared
  const sandbox = await start({ settings: { ...settings, ...NO_DECISIONS }, now })
  try {
    const run = new Replay(options, sandbox.fetch)
    for (const [done, step] of steps.entries()) {
      signal?.throwIfAborted()
      onProgress?.(done / steps.length)
      await run.perform(step)
    }
    return run.results
  } finally {
    await sandbox.close()
  }
}

class Replay {
  readonly #prepared: PreparedReplay
  readonly #fetch: ReplayFetch
  readonly #ids = createIdMap()
  readonly #client: Client
  readonly #clientsByKey = new Map<string, Client>()
  readonly #shops: ReplayShops
  readonly #driver: ObjectDriver
  readonly #streams: ReplayStreams
  /** Ids of objects that the sandbox refused to create. */
  readonly #lost = new Set<string>()
  readonly results: ReplayResults
  #now: number

  constructor({ prepared, systemClock }: ReplayOptions, fetch: ReplayFetch) {
    this.#prepared = prepared
    this.#fetch = fetch
    this.#now = prepared.startTime
    this.#client = createClient({ fetch, baseUrl: BASE })
    this.results = new ReplayResults(prepared.clock)
    this.#streams = new ReplayStreams(prepared, systemClock)
    this.#shops = new ReplayShops(this.#client, prepared.owners)
    this.#driver = new ObjectDriver(this.#client, this.#ids, prepared.known)
  }

  async perform(step: ReplayStep): Promise<void> {
    await this.#advance(Math.floor(clockTime(step)))
    switch (step.do) {
      case 'bringToState':
        return await this.#driver.bringToState(step.state, undefined)
      case 'open':
        return await this.#open(step.call)
      case 'close':
        return await this.#close(step)
      case 'call':
        return await this.#call(step)
    }
  }

  async #advance(time: number): Promise<void> {
    if (time <= this.#now) return
    await this.#client.control.clock.advance({ to: rfc3339(time, 3) })
    this.#now = time
  }

  async #call({ call, before }: ReplayStep & { do: 'call' }): Promise<void> {
    const reason = reasonToSkip(call, this.#prepared.idempotencyKeys, this.#lost)
    if (reason !== undefined) {
      this.results.skip(reason)
      return
    }
    const credentials = await this.#shops.credentialsFor(call)
    const shop = this.#clientFor(credentials)
    if (!(await this.#ensureObject(call, shop))) {
      this.results.skip('its object could not be created in the sandbox')
      return
    }
    if (before !== undefined) await this.#driver.bringToState(before, shop)
    const { response, status } = call
    if (isOverloadOrOutage(response))
      await this.#client.control.faults.add({ target: 'api', fault: `status:${status}`, times: 1 })
    const got = await this.#send(call, credentials)
    this.#remember(call, got)
    if (response === undefined) this.results.skip('the recording has no response')
    else this.results.compare(call, response, got)
  }

  #clientFor(credentials: ReplayCredentials | undefined): Client | undefined {
    if (credentials === undefined) return undefined
    const known = this.#clientsByKey.get(credentials.apiKey)
    const client = known ?? createClient({ fetch: this.#fetch, baseUrl: BASE, ...credentials })
    this.#clientsByKey.set(credentials.apiKey, client)
    return client
  }

  /** Creates the object of the call if it existed before the recording. Returns false if the sandbox refuses. */
  async #ensureObject({ objectId, operation, status }: RecordedCall, shopClient: Client | undefined): Promise<boolean> {
    if (objectId === undefined || this.#ids.get(objectId) !== undefined || shopClient === undefined) return true
    if (!isSuccess(status) && status !== 409 && status !== 422) return true
    const made = await this.#driver.create(objectId, operation.includes('/payouts') ? 'payout' : 'payment', shopClient)
    if (!made) this.#lost.add(objectId)
    return made
  }

  async #send(call: RecordedCall, credentials: ReplayCredentials | undefined): Promise<CallResponse | undefined> {
    const { path, init } = replayRequest(call, this.#ids, this.#prepared.known, credentials)
    try {
      const response = await this.#fetch(`${BASE}${path}`, init)
      const headers = headersOf(response.headers)
      // An event stream would not end.
      if (headers.get('content-type')?.startsWith('text/event-stream') === true) {
        await response.body?.cancel()
        return toCallResponse(response.status, headers, undefined)
      }
      return toCallResponse(response.status, headers, await response.text())
    } catch {
      return undefined
    }
  }

  #remember(call: RecordedCall, got: CallResponse | undefined): void {
    const seen = isSuccess(call.status) ? call.shows : undefined
    if (isSuccess(call.status) && isSuccess(got?.status)) this.#ids.learn(call.response?.json, got?.json)
    if (seen === undefined || !this.results.recordShown(seen.id, call)) return
    if (!isSuccess(got?.status)) this.#lost.add(seen.id)
  }

  async #open(call: RecordedCall): Promise<void> {
    const credentials = await this.#shops.credentialsFor(call)
    const { path, init } = replayRequest(call, this.#ids, this.#prepared.known, credentials)
    await this.#streams.readSent()
    const response = await this.#fetch(`${BASE}${path}`, init)
    const headers = headersOf(response.headers)
    const recorded = call.response as CallResponse
    if (response.status !== 200) {
      this.results.compare(call, recorded, toCallResponse(response.status, headers, await response.text()))
      return
    }
    this.results.compare(call, { ...recorded, json: undefined }, toCallResponse(200, headers, undefined))
    this.#streams.open(call, response)
  }

  async #close({ call, time }: ReplayStep & { do: 'close' }): Promise<void> {
    const differences = await this.#streams.close(call, time, this.#ids)
    if (differences === undefined) this.results.skip('the recording does not contain the stream')
    else this.results.add(differences)
  }
}

function headersOf(headers: Headers): HeaderMap {
  return new Map([...headers].map(([name, value]) => [name.toLowerCase(), value]))
}
