// The control routes of the simulator: actions of buyer and bank, rules, faults, the clock and the store.
import type { PublicPayment } from '../domain/payment.ts'
import type { PublicPayout } from '../domain/payout.ts'
import type { PublicRefund } from '../domain/refund.ts'
import { oneObject, optionalObject, pathSegment, requireObject } from './call-arguments.ts'
import type { AdvanceReport, ClockView, IdleView, ScheduledStep } from './clock-types.ts'
import { type ControlCalls, controlCalls } from './control-calls.ts'
import type {
  FaultBody,
  FaultView,
  Page,
  PageQuery,
  PaymentAction,
  RuleBody,
  RuleView,
  SettleAction,
} from './control-types.ts'
import { type HttpClient, LIST, type ResponseShape } from './http-client.ts'

export type ClockBody =
  | { readonly mode: 'frozen'; readonly now?: string | undefined }
  | { readonly mode: 'scaled'; readonly speed: number }
  | { readonly mode: 'real' }

/** How far to advance: by a duration such as `20m`, to a time (RFC 3339), or until only expiries are scheduled. */
export type AdvanceBody = { readonly by: string } | { readonly to: string } | { readonly until: 'idle' }

export interface SimulatorOperations {
  readonly act: {
    payment(id: string, action: PaymentAction): Promise<PublicPayment>
    payout(id: string, action: SettleAction): Promise<PublicPayout>
    refund(id: string, action: SettleAction): Promise<PublicRefund>
  }
  readonly rules: MatchList<RuleBody, RuleView>
  readonly faults: MatchList<FaultBody, FaultView>
  readonly clock: {
    get(): Promise<ClockView>
    set(body: ClockBody): Promise<ClockView>
    /**
     * Returns the scheduled steps in order, expiries included.
     * @param filter `object_id` selects the steps of one payment or payout
     */
    schedule(filter?: {
      object_id?: string
      limit?: number
    }): Promise<{ items: readonly ScheduledStep[]; total: number }>
    /** Resolves when only expiries are scheduled. If the clock is frozen, lists the steps that are due later. */
    idle(signal?: AbortSignal): Promise<IdleView>
    /** Runs every due step in order. Resolves when the webhook attempts that these steps started are over. */
    advance(body: AdvanceBody): Promise<AdvanceReport>
  }
  readonly store: {
    reset(options?: { all?: boolean }): Promise<unknown>
    snapshots(): Promise<Page<{ name: string; taken_at?: string }>>
    snapshot(name: string): Promise<unknown>
    removeSnapshot(name: string): Promise<void>
    restore(name: string): Promise<unknown>
    /** Returns the whole state, or the given tables. */
    export(tables?: readonly string[]): Promise<unknown>
    import(state: unknown): Promise<unknown>
    counts(): Promise<{ readonly [table: string]: number }>
  }
  trigger(
    body: { event: string; set?: Record<string, unknown>; shop_id?: string | undefined } | { scenario: unknown },
  ): Promise<Record<string, unknown>>
}

const OBJECT = { id: 'string', status: 'string' } as const satisfies ResponseShape
const CLOCK = { mode: 'string', now: 'string' } as const satisfies ResponseShape

interface MatchList<Body, View> {
  list(query?: PageQuery): Promise<Page<View>>
  add(body: Body): Promise<View>
  remove(id: string): Promise<void>
  clear(): Promise<void>
}

export function simulatorOperations(http: HttpClient): SimulatorOperations {
  const calls = controlCalls(http)
  const { get, post, put, remove } = calls
  const id = pathSegment
  return {
    act: {
      payment: (paymentId, act) => post(`payments/${id(paymentId)}/act`, requireAction('act.payment', act), OBJECT),
      payout: (payoutId, act) => post(`payouts/${id(payoutId)}/act`, requireAction('act.payout', act), OBJECT),
      refund: (refundId, act) => post(`refunds/${id(refundId)}/act`, requireAction('act.refund', act), OBJECT),
    },
    rules: matchList(calls, 'rules', (...args) => ruleBody('rules.add', args)),
    faults: matchList(calls, 'faults', (...args) => faultBody('faults.add', args)),
    clock: {
      get: () => get('clock', CLOCK),
      set: (body) => post('clock', requireObject('clock.set', body, "an object, such as { mode: 'frozen' }"), CLOCK),
      schedule: (filter) =>
        http.json({ method: 'GET', path: '/_psp/clock/schedule', query: filter, responseShape: LIST }),
      idle: (signal) => get('clock/idle', CLOCK, signal),
      advance: (body) =>
        post('clock/advance', requireObject('clock.advance', body, "an object, such as { by: '20m' }"), {
          now: 'string',
        }),
    },
    store: {
      reset: (options) => post('reset', optionalObject('store.reset', options, 'an object, such as { all: true }')),
      snapshots: () => get('snapshots', LIST),
      snapshot: (name) => put(`snapshots/${id(name)}`),
      removeSnapshot: (name) => remove(`snapshots/${id(name)}`),
      restore: (name) => post(`snapshots/${id(name)}/restore`),
      export: (tables) => http.json({ method: 'GET', path: '/_psp/export', query: { tables: tables?.join(',') } }),
      import: (body) => put('import', requireObject('store.import', body, 'an export')),
      counts: () => get('counts'),
    },
    trigger: (body) =>
      post('trigger', requireObject('trigger', body, "an object, such as { event: 'payment.failed' }")),
  }
}

function requireAction<Act>(call: string, act: Act): Act {
  return requireObject(call, act, "an object after the id, such as { action: 'expire' }")
}

export function ruleBody(call: string, args: readonly unknown[]): RuleBody {
  return oneObject(call, args, ['plan'], "plan: 'failed'")
}

export function faultBody(call: string, args: readonly unknown[]): FaultBody {
  return oneObject(call, args, ['target', 'fault'], "target: 'webhook', fault: 'drop'")
}

function matchList<Body, View>(
  { list, post, remove }: ControlCalls,
  path: string,
  bodyOf: (...args: readonly unknown[]) => Body,
): MatchList<Body, View> {
  return {
    list: (query) => list(path, query),
    add: (...args) => post(path, bodyOf(...args), { id: 'string' }),
    remove: (id) => remove(`${path}/${pathSegment(id)}`),
    clear: () => remove(path),
  }
}
