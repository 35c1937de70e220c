// A route of the control API as data: what it takes, what it needs and what it does. The documents come from here too.

import type * as z from 'zod'
import type { EventStream } from '../../delivery/sse.ts'
import type { ApiErrorCode } from '../../domain/errors.ts'
import type { WrittenNumbers } from '../../domain/written-numbers.ts'
import type { World } from '../../engine/world.ts'
import type { AppContext, CancellableWork } from '../app-env.ts'
import type { Services } from '../services.ts'
import type { ResponseName } from './response-schemas.ts'

export interface ControlCall<B = unknown, Q = unknown> {
  readonly c: AppContext
  readonly services: Services
  readonly world: World
  /** The work that the request is part of. */
  readonly work: CancellableWork
  /** Called after waiting, before anything is changed. @throws RefusalError sandbox_reset if the state was replaced meanwhile */
  requireSameState(): void
  readonly body: B
  /** The body of a route with `inPieces`, as it arrives. */
  chunks(): AsyncIterable<Uint8Array>
  /** The body's numbers as they were written; absent if there is no body. */
  readonly numbers?: WrittenNumbers
  readonly query: Q
  /** A path parameter, as written. */
  param(name: string): string
}

export interface ControlResponse {
  readonly status: number
  /** Absent: no body. */
  readonly body?: unknown
  /** The body as JSON, if it is known already. */
  readonly text?: string
  /** Pieces of a JSON text that is too long to be made at once. */
  readonly chunks?: Iterable<Uint8Array> | AsyncIterable<Uint8Array>
  /** Server-sent events. */
  readonly stream?: EventStream
}

export interface ControlRoute<B = unknown, Q = unknown> {
  /** The `operationId`. The schema of the body has the same name, with a capital letter. */
  readonly name: string
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Below `/_psp`. */
  readonly path: string
  readonly summary: string
  readonly description: string
  readonly body?: z.ZodType<B>
  /** An empty body counts as `{}`. */
  readonly bodyOptional?: true
  /** Larger bodies than the setting `body_limit` are taken. */
  readonly largeBody?: true
  /** The route reads the body in pieces, of any size: whole states. `body` only describes it. */
  readonly readsChunks?: true
  /** It waits for what other turns of the event loop do: what the disk refused meanwhile is a refusal of this one, too. */
  readonly waits?: true
  /** It replaces the state: a reset, an import or a restore. */
  readonly replacesState?: true
  /** What it makes is not a part of the state, and stays when the state is replaced. */
  readonly survivesReset?: true
  readonly query?: z.ZodType<Q>
  /** The parameters of the path that are not the id of an object, for the documents. */
  readonly params?: { readonly [name: string]: z.ZodType }
  /** Status of each success, and the name of what is answered. */
  readonly responses: { readonly [status: number]: ResponseName | 'nothing' | 'stream' }
  /** Operations on what the response names: the name of the route, and where its `id` is in the response. */
  readonly links?: { readonly [name: string]: string }
  /** The data of each event, if the response is a stream. */
  readonly message?: ResponseName
  readonly errors?: readonly ApiErrorCode[]
  run(call: ControlCall<B, Q>): ControlResponse | Promise<ControlResponse>
  /** Runs instead for a caller without the token, also if the control API is off; absent: such a caller is refused. */
  anonymous?(call: ControlCall<B, Q>): ControlResponse | Promise<ControlResponse>
}

/** Keeps the types of body and query while they are inferred, then forgets them. */
export function route<B = undefined, Q = undefined>(definition: ControlRoute<B, Q>): ControlRoute {
  return definition
}

export const ok = (body: unknown): ControlResponse => ({ status: 200, body })
export const created = (body: unknown): ControlResponse => ({ status: 201, body })
export const noContent: ControlResponse = { status: 204 }
