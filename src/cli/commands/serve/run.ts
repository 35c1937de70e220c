import { createClient } from '../../../client/client.ts'
import type { EventView } from '../../../client/control-types.ts'
import { follow } from '../../../client/follow.ts'
import type { RequestView } from '../../../client/request-types.ts'
import { clockDistance, clockVerb } from '../../../domain/clock-description.ts'
import { isLoopback } from '../../../domain/loopback.ts'
import { untilAborted } from '../../../domain/promises.ts'
import { rfc3339 } from '../../../domain/time.ts'
import { formatUtc } from '../../../domain/time-text.ts'
import { VERSION } from '../../../domain/version.ts'
import type { Sandbox } from '../../../sandbox.ts'
import { sanitizeLine } from '../../../terminal/sanitize.ts'
import type { NoArguments, Run } from '../../command.ts'
import { dataFolder } from '../../input/files.ts'
import { withControlToken } from '../../local/credentials.ts'
import { type LocalServer, startLocalServer } from '../../local/local-server.ts'
import { fetchOf } from '../../local/open-sandbox.ts'
import { type Ready, type ReadyFile, readyFile } from '../../local/ready-file.ts'
import { requestLine } from '../../output/lines.ts'
import { dashboardUrl, launchBrowser } from '../../process/browser.ts'
import { endCode } from '../../process/signals.ts'
import type { Session } from '../../session.ts'
import type { SERVE_FLAGS } from '../serve.ts'
import { banner, type CommandTexts, commandTextsFor, dashboardLines, isCredentialHidden } from './banner.ts'

export const run: Run<NoArguments, typeof SERVE_FLAGS> = async ({ session: given, flags }) => {
  const session = withControlToken(given)
  const { out, values, host, signals } = session
  const folder = values.ephemeral ? undefined : dataFolder(session)
  const file = values.ready_file === undefined ? undefined : readyFile(values.ready_file, host)
  const server = await startLocalServer(session, { folder, beforeFirstChange: () => file?.clear() })
  out.tolerateFailedWrites()
  await announceReady(session, server, folder, file)
  if (flags.open) await openDashboard(session, dashboardUrl(server.url, session.values.control_token))
  const requests = values.quiet
    ? undefined
    : followRequests(session, server.sandbox, commandTextsFor(session, server, folder))
  await untilAborted(signals.ended)
  file?.remove()
  out.note('')
  out.note(out.notePaint.dim('Stopping after open requests and attempts. Press Ctrl-C again to stop at once.'))
  requests?.stop()
  await server.close()
  return endCode(signals)
}

async function announceReady(
  session: Session,
  server: LocalServer,
  folder: string | undefined,
  file: ReadyFile | undefined,
) {
  const { out, values } = session
  const { url, defaultShop, sandbox } = server
  const ready = readyOf(session, server, folder)
  try {
    await file?.write(ready)
  } catch (error) {
    await server.close()
    throw error
  }
  if (out.json) out.document(ready)
  else {
    banner(out, {
      url,
      sharedUrl: isLoopback(values.host) ? undefined : server.sharedUrl,
      folder: folder === undefined ? undefined : values.data,
      defaultShop,
      isHidden: (key) => isCredentialHidden(session, key),
      isNew: sandbox.isNew,
      commandTexts: commandTextsFor(session, server, folder),
      dashboard: dashboardLines(session, isLoopback(values.host) ? url : server.sharedUrl),
      clock: clockText(session, sandbox),
    })
  }
}

/** Returns `undefined` if the clock shows the system time. */
function clockText({ host }: Session, { timeline }: LocalServer['sandbox']): string | undefined {
  const [clock, now, systemNow] = [timeline.clock(), timeline.now(), host.systemClock.now()]
  if (clock.mode === 'real' && clockDistance(clock, now, systemNow) === undefined) return undefined
  return `${clockVerb(clock, now, systemNow)}: ${formatUtc(rfc3339(now, 0))}`
}

function readyOf(
  { host, values, config }: Session,
  { url, defaultShop }: LocalServer,
  folder: string | undefined,
): Ready {
  return {
    type: 'ready',
    url,
    port: Number(new URL(url).port),
    pid: host.pid,
    version: VERSION,
    data: folder ?? null,
    api_key: defaultShop.api_key ?? null,
    signing_secret: defaultShop.signing_secret,
    webhook_secret: defaultShop.webhook_secret,
    shop_id: defaultShop.shop_id,
    ...(values.control_token !== undefined && config.values.control_token === undefined
      ? { control_token: values.control_token }
      : {}),
  }
}

async function openDashboard({ out, host }: Session, url: string): Promise<void> {
  const why = await launchBrowser(url, host)
  if (why !== undefined) out.warn(`The browser could not be started: ${why} Open ${url} yourself.`)
}

/** Prints the request log on stdout. */
export function followRequests(session: Session, sandbox: Sandbox, commandTexts: CommandTexts): { stop(): void } {
  const { out, host, values } = session
  const controller = new AbortController()
  const client = createClient({
    fetch: fetchOf(sandbox),
    baseUrl: 'http://127.0.0.1',
    controlToken: values.control_token,
  })
  const messages = follow({
    connect: (lastEventId, signal) => client.control.stream({ lastEventId, signal }),
    timers: host.systemClock,
    signal: controller.signal,
  })
  printRequests().catch((error: unknown) => {
    if (values.debug) out.failure(error)
  })
  return { stop: () => controller.abort() }

  async function printRequests(): Promise<void> {
    let noted = false
    for await (const { event, data } of messages) {
      if (event === 'event' && !noted) noted = await noteNoReceiver((JSON.parse(data) as { event: EventView }).event)
      if (event !== 'request') continue
      const { at: seen, request } = JSON.parse(data) as { at: string; request: RequestView }
      if (out.json) out.document({ type: 'request', ...request, at: request.at ?? seen })
      else out.line(requestLine(request, seen, out.paint, out.columns))
    }
  }

  /** Prints the note only once, because a shop that polls its payments needs no webhooks. */
  async function noteNoReceiver({ id, event: name }: EventView): Promise<boolean> {
    const { items } = await client.control.deliveries.list({ event_id: id, limit: 1 })
    if (items.length > 0) return false
    const listen = commandTexts.control?.('listen --forward localhost:3000/hooks')
    const how = `${listen === undefined ? '' : `\`${listen}\` or `}--endpoint`
    out.note(out.notePaint.dim(`${sanitizeLine(name)} has no receiver. To receive webhooks, use ${how}.`))
    return true
  }
}
