// An operation of the public API as data. `handle-request.ts` first makes the checks that all operations share.
import type { EventStream } from '../../delivery/sse.ts'
import type { ApiErrorCode } from '../../domain/errors.ts'
import type { Plan, StoredPlan } from '../../domain/simulator-plan.ts'
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
  /** `GET`, `POST` or `HEAD`. A `HEAD` request runs the operation of `GET`, and its response has no body. */
  readonly method: string
  /** The id of the path in lower case, to find rows. Empty if the path has no id. */
  readonly id: string
  /** The id as the client wrote it, for messages. */
  readonly given_id: string
  readonly body: B
  readonly idempotency: Idempotency | undefined
  readonly plan: Plan | undefined
  readonly entry: LoggedRequest
  /** Serializes a payment without refunds, and caches the result. */
  readonly serializePayment: PaymentResponseCache
}

export interface OperationResult extends ApiResponse {
  /** True: the simulator closes the connection instead of responding. */
  readonly cut?: boolean
  /** The body if it is an event stream. */
  readonly stream?: EventStream
}

export interface Operation<B = undefined> {
  /** The value that `operation=…` of a fault is compared with. It is also a part of the idempotency fingerprint. */
  readonly name: string
  readonly method: 'GET' | 'POST'
  /** Relative to `/v1/public`. */
  readonly path: string
  /** Spec 4: the schema of the body. Absent: a body is ignored. */
  readonly body?: BodySchema<B>
  /** An empty body counts as `{}`. */
  readonly bodyOptional?: true
  /** Accepts Idempotency-Key and X-PSP-Simulate. */
  readonly creates?: true
  /** The response is an event stream. */
  readonly streams?: true
  /** Error codes that are specific to the operation, for the documents. */
  readonly errors: readonly ApiErrorCode[]
  run(call: Call<B>): OperationResult
}

/** Returns the arguments that all commands of creating operations have: the idempotency key and the plan, if given. */
export function idempotentRequest({ idempotency, plan }: Pick<Call<unknown>, 'idempotency' | 'plan'>): {
  readonly idempotency?: Idempotency
  readonly plan?: Plan
} {
  if (idempotency === undefined) return plan === undefined ? {} : { plan }
  return plan === undefined ? { idempotency } : { idempotency, plan }
}

/** Infers the type of the body from its schema. */
export function operation<B = undefined>(definition: Operation<B>): Operation<B> {
  return definition
}

/** Returns the unified failure code if the create request itself was refused. */
export function refusedCode({
  plan,
  status,
}: {
  readonly plan: StoredPlan
  readonly status: string
}): string | undefined {
  return plan.outcome === 'refused' && status === 'failed' ? plan.code : undefined
}

export function refusedMessage(code: string): string {
  return `The bank refused the operation at once: ${code.replaceAll('_', ' ')}.`
}
