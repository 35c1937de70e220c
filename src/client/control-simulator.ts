// The control routes of the simulator: acts of buyer and bank, rules, faults, the clock, the store.
import type { PublicPayment } from '../domain/payment.ts'
import type { PublicPayout } from '../domain/payout.ts'
import type { PublicRefund } from '../domain/refund.ts'
import { type Caller, LIST, type Shape } from './caller.ts'
import type { AdvanceReport, ClockView, IdleView } from './clock-wire.ts'
import type {
  Counts,
  FaultBody,
  FaultView,
  Page,
  PageQuery,
  PaymentAct,
  RuleBody,
  RuleView,
  SettleAct,
} from './control-wire.ts'

export type ClockBody =
  | { readonly mode: 'frozen'; readonly now?: string | undefined }
  | { readonly mode: 'scaled'; readonly speed: number }
  | { readonly mode: 'real' }

/** How far the clock goes: by a duration such as `20m`, to an instant (RFC 3339), or until nothing waits. */
export type AdvanceBody = { readonly by: string } | { readonly to: string } | { readonly until: 'idle' }

export interface SimulatorOperations {
  readonly act: {
    payment(id: string, act: PaymentAct): Promise<PublicPayment>
    payout(id: string, act: SettleAct): Promise<PublicPayout>
    refund(id: string, act: SettleAct): Promise<PublicRefund>
  }
  readonly rules: Counted<RuleBody, RuleView>
  readonly faults: Counted<FaultBody, FaultView>
  readonly clock: {
    get(): Promise<ClockView>
    set(body: ClockBody): Promise<ClockView>
    /** The clock, once nothing waits but expiries. A frozen clock does not move: what is due later is listed. */
    idle(signal?: AbortSignal): Promise<IdleView>
    /** Runs every due step in order, and resolves when the webhook attempts that it started are over. */
    advance(body: AdvanceBody): Promise<AdvanceReport>
  }
  readonly store: {
    reset(options?: { all?: boolean }): Promise<unknown>
    snapshots(): Promise<Page<{ name: string; taken_at?: string }>>
    snapshot(name: string): Promise<unknown>
    removeSnapshot(name: string): Promise<void>
    restore(name: string): Promise<unknown>
    /** The whole state, or some of its tables. */
    export(tables?: readonly string[]): Promise<unknown>
    import(state: unknown): Promise<unknown>
    /** Rows by the name of their table. */
    counts(): Promise<Counts>
  }
  trigger(
    body: { event: string; set?: Record<string, unknown>; shop_id?: string | undefined } | { scenario: unknown },
  ): Promise<Record<string, unknown>>
}

const OBJECT = { id: 'string', status: 'string' } as const satisfies Shape
const CLOCK = { mode: 'string', now: 'string' } as const satisfies Shape

interface Counted<Body, View> {
  list(query?: PageQuery): Promise<Page<View>>
  add(body: Body): Promise<View>
  remove(id: string): Promise<void>
  clear(): Promise<void>
}

export function simulatorOperations(caller: Caller): SimulatorOperations {
  const post = <T>(path: string, body?: unknown, answers?: Shape) =>
    caller.json<T>({ method: 'POST', path: `/_psp/${path}`, body, answers })
  const id = encodeURIComponent
  return {
    act: {
      payment: (paymentId, act) => post(`payments/${id(paymentId)}/act`, act, OBJECT),
      payout: (payoutId, act) => post(`payouts/${id(payoutId)}/act`, act, OBJECT),
      refund: (refundId, act) => post(`refunds/${id(refundId)}/act`, act, OBJECT),
    },
    rules: counted(caller, '/_psp/rules'),
    faults: counted(caller, '/_psp/faults'),
    clock: {
      get: () => caller.json({ method: 'GET', path: '/_psp/clock', answers: CLOCK }),
      set: (body) => post('clock', body, CLOCK),
      idle: (signal) => caller.json({ method: 'GET', path: '/_psp/clock/idle', signal, answers: CLOCK }),
      advance: (body) => post('clock/advance', body, { now: 'string' }),
    },
    store: {
      reset: (options) => post('reset', options),
      snapshots: () => caller.json({ method: 'GET', path: '/_psp/snapshots', answers: LIST }),
      snapshot: (name) => caller.json({ method: 'PUT', path: `/_psp/snapshots/${id(name)}` }),
      removeSnapshot: (name) => caller.json({ method: 'DELETE', path: `/_psp/snapshots/${id(name)}` }),
      restore: (name) => post(`snapshots/${id(name)}/restore`),
      export: (tables) => caller.json({ method: 'GET', path: '/_psp/export', query: { tables: tables?.join(',') } }),
      import: (body) => caller.json({ method: 'PUT', path: '/_psp/import', body }),
      counts: () => caller.json({ method: 'GET', path: '/_psp/counts' }),
    },
    trigger: (body) => post('trigger', body),
  }
}

function counted<Body, View>(caller: Caller, path: string): Counted<Body, View> {
  return {
    list: (query) => caller.json({ method: 'GET', path, query: { ...query }, answers: LIST }),
    add: (body) => caller.json({ method: 'POST', path, body, answers: { id: 'string' } }),
    remove: (id) => caller.json({ method: 'DELETE', path: `${path}/${encodeURIComponent(id)}` }),
    clear: () => caller.json({ method: 'DELETE', path }),
  }
}
