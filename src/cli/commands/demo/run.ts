import { createClient } from '../../../client/client.ts'
import { createNodeFetch } from '../../../client/node-fetch.ts'
import { DEFAULT_SHOP } from '../../../domain/default-shop.ts'
import { formatElapsed } from '../../../domain/time-text.ts'
import { startServer } from '../../../node/server.ts'
import { assembleSandbox } from '../../../sandbox.ts'
import type { NoArguments, NoFlags, Run } from '../../command.ts'
import { EXIT_CODES } from '../../failure.ts'
import { invocationName } from '../../host-process.ts'
import { wrapLine } from '../../output/lines.ts'
import type { Session } from '../../session.ts'
import { startMerchant } from './merchant.ts'
import { createDemoContext, DEMO_SCENES, type DemoContext } from './scenes.ts'

/** Runs every scene with one sandbox and one merchant. Returns 0 only if every check passed. */
export const run: Run<NoArguments, NoFlags> = async ({ session }) => {
  const { host, out } = session
  const began = host.systemClock.monotonic()
  const merchant = await startMerchant(DEFAULT_SHOP.webhook_secret, host.systemClock.now)
  const sandbox = await assembleSandbox({
    clock: { mode: 'frozen' },
    endpoints: [merchant.url],
    systemClock: host.systemClock,
  })
  const server = await startServer(sandbox, { port: 0, host: '127.0.0.1', systemClock: host.systemClock })
  const http = createNodeFetch()
  try {
    sandbox.setBaseUrl(server.url)
    const client = createClient({ fetch: http.fetch, baseUrl: server.url, apiKey: DEFAULT_SHOP.api_key })
    const context = createDemoContext(out, client, merchant)
    out.note(out.notePaint.dim(`A sandbox at ${server.url}, a merchant at ${merchant.url}, a frozen clock.`))
    await runScenes(context, session)
    return finish(session, context, host.systemClock.monotonic() - began)
  } finally {
    http.close()
    await server.close({ grace_ms: 0 })
    await Promise.allSettled([sandbox.close({ grace_ms: 0 }), merchant.close()])
  }
}

async function runScenes(context: DemoContext, { signals }: Session): Promise<void> {
  for (const scene of DEMO_SCENES) {
    if (signals.ended.aborted) throw signals.ended.reason
    context.printTitle(scene.title)
    await scene.run(context)
  }
}

function finish({ out, host }: Session, { checks, merchant }: DemoContext, ms: number): number {
  const { passed, failed } = checks
  const ok = failed.length === 0
  const webhooks = merchant.received.length
  const psp = invocationName(host)
  if (out.json) out.document({ type: 'result', ok, passed, failed, webhooks })
  else {
    const summary = `${passed} checks passed, ${webhooks} webhooks received, in ${formatElapsed(ms)}`
    out.line()
    const line = ok
      ? `${out.paint.good('Everything worked.')} ${summary}.`
      : `${out.paint.bad('Not confirmed:')} ${failed.join('; ')}.`
    out.line(wrapLine(line, out.columns, ''))
    out.note(out.notePaint.dim(`Try it yourself: ${psp} serve, then ${psp} listen --forward localhost:3000/hooks.`))
  }
  return ok ? EXIT_CODES.done : EXIT_CODES.not_verified
}
