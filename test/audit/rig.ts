// Audits a handler in this process. Timers fire in the next turn, so no test waits.
import { CHECKS } from '../../src/audit/checks.ts'
import { ProbeError } from '../../src/audit/ports.ts'
import { createProbe } from '../../src/audit/probe.ts'
import { type AuditReport, runAudit } from '../../src/audit/run.ts'
import { createSend } from '../../src/audit/send.ts'
import type { FetchLike } from '../../src/client/fetch-like.ts'
import type { WallTime } from '../../src/domain/time.ts'
import { seededRandomness } from '../../src/time/random.ts'
import type { KnownSecret } from '../../src/webhooks/diagnosis-input.ts'
import { type Parts, type Shop, shop } from './shop.ts'

export const SECRET = 'whs_audit_secret'
const NOW = Date.UTC(2026, 4, 6, 12) as WallTime

/** Fires timers in the next turn, except deadlines. */
export const systemClock = {
  now: () => NOW,
  monotonic: () => 0,
  setTimeout(fn: () => void, ms: number) {
    if (ms >= 1000) return { cancel() {} }
    setImmediate(fn)
    return { cancel() {} }
  },
}

export type ProbeKind = 'none' | 'balance' | 'order' | 'both'

export interface Audited {
  readonly report: AuditReport
  readonly shop: Shop
}

export async function audited(parts: Partial<Parts> = {}, probe: ProbeKind = 'both'): Promise<Audited> {
  const made = shop(SECRET, () => NOW, parts)
  return { report: await auditOf(made.fetch, made, probe), shop: made }
}

export function auditOf(
  fetch: FetchLike,
  { books }: Pick<Shop, 'books'>,
  probe: ProbeKind,
  only?: readonly string[],
  known: readonly KnownSecret[] = [],
  probeFails: () => boolean = () => false,
  order?: () => string,
): Promise<AuditReport> {
  const random = seededRandomness(1)
  let orders = 0
  return runAudit({
    target: 'http://shop.test/hooks',
    checks: CHECKS.filter(({ id }) => only === undefined || only.includes(id)),
    ground: () => ({
      secret: SECRET,
      now: NOW,
      random,
      amount: 150_000,
      order: order ?? (() => `order-${++orders}`),
      metadata: {},
    }),
    send: createSend({ url: 'http://shop.test/hooks', fetch, timeout: 15_000, pause: 1, headers: [], systemClock }),
    probes: kindsOf(probe).map((kind) =>
      createProbe({
        label: kind,
        async read({ order_id }) {
          if (probeFails()) throw new ProbeError('nothing listens', 'Start it.')
          const text = kind === 'balance' ? String(books.balance()) : books.orderStatus(order_id)
          return text === undefined ? { text: '', note: 'answered 404' } : { text }
        },
        own: kind === 'order',
        rest: 1,
        systemClock,
      }),
    ),
    known,
  })
}

export function ids(report: AuditReport, result: 'pass' | 'fail' | 'warn' | 'skip'): string[] {
  return report.checks.filter((check) => check.result === result).map(({ id }) => id)
}

function kindsOf(kind: ProbeKind): ('balance' | 'order')[] {
  if (kind === 'none') return []
  return kind === 'both' ? ['balance', 'order'] : [kind]
}
