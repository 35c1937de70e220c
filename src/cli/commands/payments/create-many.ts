import type { CreatePaymentResponse } from '../../../client/public-types.ts'
import { countOf } from '../../../domain/count-text.ts'
import { exitCodeOf } from '../../failure.ts'
import { startChanges } from '../../output/progress.ts'
import { mergeCreateErrors } from '../../parsing/command-errors.ts'
import type { Session } from '../../session.ts'
import { ignoredOf } from './view.ts'

export interface ManyOptions {
  readonly create: () => Promise<CreatePaymentResponse>
  readonly count: number
  readonly concurrency: number
}

/** Creates `count` payments with `concurrency` requests at once. After the first error, no further request is sent. */
export async function createMany(session: Session, { create, count, concurrency }: ManyOptions): Promise<number> {
  const { out, host, signals } = session
  const began = host.systemClock.monotonic()
  const progress = await startChanges(session, 'payments', count)
  let started = 0
  let created = 0
  const failures: unknown[] = []
  let ignored: string | undefined
  const worker = async () => {
    while (started < count && failures.length === 0 && !signals.ended.aborted) {
      started++
      try {
        const response = await create()
        created++
        ignored ??= ignoredOf(response.payment)
        progress.update(created)
        if (out.json) out.document(response)
      } catch (error) {
        // Ctrl-C aborts requests in flight, which is not an error of the server.
        if (!signals.ended.aborted) failures.push(error)
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(concurrency, count) }, worker))
  progress.stop()
  if (ignored !== undefined) out.warn(ignored)
  const seconds = Math.max(0.001, (host.systemClock.monotonic() - began) / 1000)
  if (!out.json)
    out.line(
      `${created} of ${countOf(count, 'payment')} in ${seconds.toFixed(1)} s, ${Math.round(created / seconds)} /s`,
    )
  if (failures.length === 0) return 0
  const failure = mergeCreateErrors(failures)
  out.failure(failure)
  return exitCodeOf(failure)
}
