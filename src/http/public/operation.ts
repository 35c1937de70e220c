// One operation of the public API: what it takes and what it does. Checks that all share are made before it runs.
import type { EventStream } from '../../delivery/sse.ts'
import type { ApiErrorCode } from '../../domain/errors.ts'
import type { Plan } from '../../domain/simulator-plan.ts'
import type { Idempotency } from '../../engine/command.ts'
import type { World } from '../../engine/world.ts'
import type { Exchange } from '../app-env.ts'
import type { BodySchema } from '../body-schema.ts'
import type { Authentication } from '../guards/key.ts'
import type { LoggedRequest } from '../request-log.ts'
import type { ApiResponse } from '../respond.ts'
import type { Services } from '../services.ts'
import type { PaymentResponseCache } from './payment-response-cache.ts'

/** A request that passed every guard. */
export interface Call<B> extends Authentication {
  readonly services: Services
  readonly world: World
  readonly exchange: Exchange
  /** `HEAD` is answered like `GET`, without the body. */
  readonly method: string
  /** The path's id in lower case; empty where the path has none. */
  readonly id: string
  /** The same as the client wrote it, for messages. */
  readonly given_id: string
  readonly body: B
  readonly idempotency: Idempotency | undefined
  readonly plan: Plan | undefined
  readonly entry: LoggedRequest
  readonly paymentResponses: PaymentResponseCache
}

export interface OperationResult extends ApiResponse {
  /** The simulator cuts the connection instead of answering. */
  readonly cut?: boolean
  /** A body that is not JSON and goes on: the event stream. */
  readonly stream?: EventStream
}

export interface Operation<B = undefined> {
  /** Fact `operation` of faults, and part of the idempotency fingerprint. */
  readonly name: string
  readonly method: 'GET' | 'POST'
  /** Below `/v1/public`. */
  readonly path: string
  /** Spec 4: what it takes; absent: a body is of no interest. */
  readonly body?: BodySchema<B>
  /** An empty body counts as `{}`. */
  readonly bodyOptional?: true
  /** Takes Idempotency-Key and X-PSP-Simulate. */
  readonly creates?: true
  /** Its answer goes on. */
  readonly streams?: true
  /** Refusals of the operation itself, for the documents. */
  readonly errors: readonly ApiErrorCode[]
  run(call: Call<B>): OperationResult
}

/** What create and refund commands take besides their input. */
export function idempotentRequest({ idempotency, plan }: Pick<Call<unknown>, 'idempotency' | 'plan'>): {
  readonly idempotency?: Idempotency
  readonly plan?: Plan
} {
  if (idempotency === undefined) return plan === undefined ? {} : { plan }
  return plan === undefined ? { idempotency } : { idempotency, plan }
}

/** Keeps the body's type while it is inferred from the shape. */
export function operation<B = undefined>(definition: Operation<B>): Operation<B> {
  return definition
}
