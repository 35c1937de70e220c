// A route of the control API as data. The OpenAPI document is also created from the routes.

import type * as z from 'zod'
import type { EventStream } from '../../delivery/sse.ts'
import type { ApiErrorCode } from '../../domain/errors.ts'
import type { NumberLiterals } from '../../domain/number-literals.ts'
import type { World } from '../../engine/world.ts'
import type { AppContext, CancellableWork } from '../app-env.ts'
import type { Services } from '../services.ts'
import type { ControlRole } from './guard.ts'
import type { ResponseName } from './response-schemas.ts'

export interface ControlCall<B = unknown, Q = unknown> {
  readonly c: AppContext
  readonly services: Services
  readonly world: World
  readonly work: CancellableWork
  readonly role: ControlRole
  /**
   * Called after a wait, before a change.
   * @throws RefusalError sandbox_reset if the state was replaced during the wait
   */
  requireSameState(): void
  readonly body: B
  /** Yields a body of any size as it arrives, for a route without `body`. */
  chunks(): AsyncIterable<Uint8Array>
  /** The body's numbers as they were written; absent if there is no body. */
  readonly numbers?: NumberLiterals
  readonly query: Q
  /** A path parameter, with percent-encoding decoded. */
  param(name: string): string
}

export interface ControlResponse {
  readonly status: number
  /** Absent: no body. */
  readonly body?: unknown
  /** The body as JSON, if it is known already. */
  readonly text?: string
  /** The chunks of a JSON text that is too long for one string. */
  readonly chunks?: Iterable<Uint8Array> | AsyncIterable<Uint8Array>
  /** Server-sent events. */
  readonly stream?: EventStream
}

export interface ControlRoute<B = unknown, Q = unknown> {
  /** The `operationId`. The schema of the body has the same name, with a capital letter. */
  readonly name: string
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Relative to `/_psp`. */
  readonly path: string
  readonly summary: string
  readonly description: string
  readonly body?: z.ZodType<B>
  /** An empty body counts as `{}`. */
  readonly bodyOptional?: true
  /** The body may be larger than the setting `body_limit`. */
  readonly largeBody?: true
  /**
   * The route waits for steps or attempts. Their commits are made in turns of the event loop before the one in which
   * the route ends. If the write of such a commit fails, the route fails too.
   */
  readonly isLongChange?: true
  /** The route replaces the state: a reset, an import or a restore. */
  readonly replacesState?: true
  /**
   * If the state is replaced while the route runs, its response does not become 409 `sandbox_reset`, because the
   * result, such as a snapshot, is not part of the state.
   */
  readonly survivesReset?: true
  /** True if the response contains secrets or the GET has an effect: the view token does not permit the route. */
  readonly ownerOnly?: true
  readonly query?: z.ZodType<Q>
  /** The parameters of the path that are not the id of an object, for the documents. */
  readonly params?: { readonly [name: string]: z.ZodType }
  /** The schema of the response for each success status. */
  readonly responses: { readonly [status: number]: ResponseName | 'nothing' | 'stream' }
  /** Operations on objects of the response: the name of the route, and the JSON pointer to the `id` in the response. */
  readonly links?: { readonly [name: string]: string }
  /** The data of each event, if the response is a stream. */
  readonly message?: ResponseName
  /** Error codes that are specific to the route, for the documents. */
  readonly errors?: readonly ApiErrorCode[]
  run(call: ControlCall<B, Q>): ControlResponse | Promise<ControlResponse>
  /** Runs for a caller without the token, even if the control API is off. Absent: such a caller is rejected. */
  anonymous?(call: ControlCall<B, Q>): ControlResponse | Promise<ControlResponse>
}

/** Infers the types of body and query for `run`, and returns the route without them. */
export function route<B = undefined, Q = undefined>(definition: ControlRoute<B, Q>): ControlRoute {
  return definition
}

export const ok = (body: unknown): ControlResponse => ({ status: 200, body })
export const created = (body: unknown): ControlResponse => ({ status: 201, body })
export const noContent: ControlResponse = { status: 204 }
