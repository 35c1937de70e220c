// Handlers that crash, hang or are slow. The clock is driven by the test, so a timeout of 15 s takes no time.
import { describe, expect, test } from 'vitest'
import { ProbeError, TargetUnreachableError } from '../../src/audit/ports.ts'
import type { ExploreReport } from '../../src/explore/explore-options.ts'
import { CORRECT_HANDLERS } from './handlers/correct.ts'
import { CRASH, exploreHandler, HANG, onDrivenClock } from './handlers/explore-handler.ts'
import type { Handler, Sleep, WebhookEvent } from './handlers/handler.ts'
import { PLANTED_BUGS } from './handlers/planted-bugs.ts'

const TIMEOUT = 15_000
const correct = (): Handler => (CORRECT_HANDLERS[0] as (typeof CORRECT_HANDLERS)[number]).create()

type Options = Parameters<typeof exploreHandler>[1]

/** Explores with a clock that moves on whenever all work waits for it. */
async function exploreTimed(
  create: (sleep: Sleep) => Handler,
  options: Options = {},
): Promise<{ readonly report: ExploreReport; readonly ms: number }> {
  const { result, ms } = await onDrivenClock((systemClock, sleep) =>
    exploreHandler(create(sleep), { ...options, systemClock }),
  )
  return { report: result, ms }
}

describe('an exploration of a handler that never responds', () => {
  test.each([60_000, 10_000])('ends with a finding one timeout after the start if it has %d ms', async (time) => {
    const { report, ms } = await exploreTimed(() => ({ ...correct(), handle: async () => HANG }), { time })
    expect(report.findings).toMatchObject([
      {
        id: 'availability',
        title: 'The handler does not respond to payment.succeeded.',
        got: 'no response within 15 s',
        expected: '2xx in time',
        deliveries: 1,
        shrunk: true,
      },
    ])
    expect(report).toMatchObject({ end: 'handler hangs', stories: 0, deliveries: 1 })
    expect(ms).toBeLessThan(TIMEOUT + 500)
  })

  test('finds that only a later event has no response, and shrinks the case while there is time', async () => {
    const create = () => {
      const handler = correct()
      return {
        ...handler,
        async handle(event: WebhookEvent) {
          if (event.event === 'payment.refunded' && handler.order(event.data.order_id ?? '') === undefined) return HANG
          return await handler.handle(event)
        },
      }
    }
    const { report, ms } = await exploreTimed(create, { time: 600_000 })
    expect(report.findings).toMatchObject([
      { title: 'The handler does not respond to payment.refunded.', deliveries: 1, shrunk: true },
    ])
    expect(report.end).toBe('handler hangs')
    expect(ms).toBeLessThan(600_000)
    const short = await exploreTimed(create, { time: 5000 })
    expect(short.report.findings).toMatchObject([
      { title: 'The handler does not respond to payment.refunded.', shrunk: false },
    ])
    // The timeout in the search, and that of the confirmation.
    expect(short.ms).toBeLessThan(5000 + 2 * TIMEOUT)
  })

  test('reports when a handler stopped responding for good', async () => {
    let isStuck = false
    const inProgress = new Set<string>()
    const handler = correct()
    const { report } = await exploreTimed(() => ({
      ...handler,
      async handle(event) {
        isStuck ||= inProgress.has(event.id)
        if (isStuck) return HANG
        inProgress.add(event.id)
        const status = await handler.handle(event)
        inProgress.delete(event.id)
        return status
      },
    }))
    expect(report.findings).toMatchObject([
      {
        title: expect.stringMatching(/^The handler stopped responding at pay/),
        got: 'no response within 15 s. It has not responded to anything since.',
      },
    ])
    expect(report.end).toBe('handler hangs')
  })
})

describe('an exploration of a slow handler', () => {
  const slow = (ms: number) => (sleep: Sleep) => {
    const handler = correct()
    return {
      ...handler,
      async handle(event: WebhookEvent) {
        await sleep(ms)
        return await handler.handle(event)
      },
    }
  }

  test.each([3000, 1000])('ends at its time if each response takes %d ms', async (each) => {
    const { report, ms } = await exploreTimed(slow(each), { time: 20_000 })
    expect(report).toMatchObject({ findings: [], end: 'time' })
    expect(ms).toBeLessThan(20_000 + each + 500)
  })
})

describe('an exploration of a handler that crashes', () => {
  /** The probes are on the server of the handler, as those of most shops. */
  const crashing = (isFatal: (event: WebhookEvent) => boolean, isBefore = true): Handler => {
    const handler = correct()
    let isGone = false
    const alive = <T>(value: () => T): T => {
      if (isGone) throw new ProbeError('Nothing listens at 127.0.0.1:3000.', 'Start it.', true)
      return value()
    }
    return {
      order: (id) => alive(() => handler.order(id)),
      balance: () => alive(() => handler.balance()),
      async handle(event) {
        if (isGone) return -1
        isGone = isFatal(event)
        return isGone && isBefore ? CRASH : await handler.handle(event)
      },
    }
  }
  const isRefund = ({ event, data }: WebhookEvent) => event === 'payment.refunded' && (data.refunds?.length ?? 0) > 1

  test('finds the event on which it crashed, if the probes are on the same server', async () => {
    const report = await exploreHandler(crashing(isRefund))
    const [finding] = report.findings
    expect(report).toMatchObject({ end: 'handler stopped', findings: [{ id: 'availability', shrunk: false }] })
    expect(finding?.title).toBe('The handler crashed on payment.refunded.')
    expect(finding?.got).toContain('the connection was closed without a response, and nothing listens any more')
    expect(finding?.rows.findLast(({ response }) => response.includes('closed'))?.sent).toContain('payment.refunded')
    expect(finding?.fix).toBe(
      'Read the error in the log of the handler. Catch the errors of one event, respond 500 to it, and keep running. Other cases ran at the same time: if this event is not the cause, repeat the search with 1 lane.',
    )
  })

  test('names both events if it crashed on one of two that were sent at the same time', async () => {
    const inProgress = new Set<string>()
    const handler = crashing(() => inProgress.size === 2 && inProgress.has('payment.refunded'))
    const report = await exploreHandler(
      {
        ...handler,
        async handle(event) {
          inProgress.add(event.event)
          await new Promise<void>((resolve) => setImmediate(resolve))
          const status = await handler.handle(event)
          inProgress.delete(event.event)
          return status === -1 ? CRASH : status
        },
      },
      { concurrency: 1 },
    )
    expect(report.findings.map(({ title }) => title)).toContainEqual(
      expect.stringMatching(/^The handler crashed on pay\S+ or pay\S+\.$/),
    )
  })

  test('finds the event after whose response it crashed', async () => {
    const report = await exploreHandler(crashing(isRefund, false), { concurrency: 1 })
    expect(report.findings).toMatchObject([
      {
        title: 'The handler crashed after it responded to payment.refunded.',
        got: '200, and then nothing listens any more',
      },
    ])
    expect(report.end).toBe('handler stopped')
  })

  test.each([true, false])('finds a crash on its first event (without a response: %s)', async (isBefore) => {
    const report = await exploreHandler(crashing(() => true, isBefore))
    expect(report.findings).toMatchObject([
      {
        title: expect.stringMatching(/^The handler crashed (on|after it responded to) payment.succeeded\.$/),
        shrunk: true,
      },
    ])
    expect(report.end).toBe('handler stopped')
  })

  test('rejects if the probe was never reachable', async () => {
    const broken = (isOfTarget: boolean) => () => {
      throw new ProbeError('Nothing listens at 127.0.0.1:3001.', 'Start it.', isOfTarget)
    }
    await expect(exploreHandler({ ...correct(), balance: broken(false) })).rejects.toThrow(ProbeError)
    await expect(exploreHandler({ ...correct(), balance: broken(true) })).rejects.toThrow(TargetUnreachableError)
    await expect(exploreHandler({ ...correct(), order: broken(false) })).rejects.toThrow(ProbeError)
  })

  test('finds the crash if a probe that is a command fails with the handler', async () => {
    const handler = crashing(isRefund)
    const asCommand = <T>(read: () => T): T => {
      try {
        return read()
      } catch {
        throw new ProbeError('The probe command exited with 7.', 'Run it yourself.')
      }
    }
    const report = await exploreHandler({
      ...handler,
      order: (id) => asCommand(() => handler.order(id)),
      balance: () => asCommand(() => handler.balance()),
    })
    expect(report.findings).toMatchObject([{ id: 'availability' }])
    expect(report.end).toBe('handler stopped')
  })
})

test('an exploration confirms what failed in its last cases', async () => {
  const handler = PLANTED_BUGS.find(({ name }) => name.includes('credits each copy'))?.create() as Handler
  const report = await exploreHandler(handler, { maxMessages: 20, maxFindings: 1 })
  expect(report.findings).toMatchObject([{ deliveries: 2 }])
})
