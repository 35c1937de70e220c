import { constants } from 'node:os'
import { pause, unlessAborted, untilAborted } from '../../../domain/promises.ts'
import type { SystemClock } from '../../../system-clock/system-clock.ts'
import type { Terminal } from '../../../tui/screen.ts'
import type { NoArguments, Run } from '../../command.ts'
import { explain } from '../../failure.ts'
import { colourLevel, hasUnicode } from '../../output/colour.ts'
import { dashboardUrl, launchBrowser, openPage } from '../../process/browser.ts'
import { type EarlyInput, readEarlyInput } from '../../process/early-input.ts'
import { editText } from '../../process/editor.ts'
import type { Session } from '../../session.ts'
import type { UI_FLAGS } from '../ui.ts'

/** Returns 0 if the user quits or closes the terminal, or at the first signal. */
export const run: Run<NoArguments, typeof UI_FLAGS> = async ({ session, flags }) => {
  if (flags.web) return await openDashboard(session)
  const { host, out, signals } = session
  const { terminal } = host
  if (terminal === undefined || out.json || host.env['TERM'] === 'dumb') return await printTail(session)
  const earlyInput = readEarlyInput(terminal, () => signals.raise('SIGINT'))
  try {
    return await showView(session, terminal, earlyInput)
  } finally {
    earlyInput.stop()
  }
}

async function showView(session: Session, terminal: Terminal, earlyInput: EarlyInput): Promise<number> {
  const { host, out, values, signals } = session
  const target = await session.target('server')
  // Report connection and access errors before the view uses the screen.
  await unlessAborted(target.client.control.clock.get(), signals.ended)
  const { openView } = await import('../../../tui/view.tsx')
  const watch = watchProcess(signals.ended)
  let code = 0
  try {
    await openView({
      client: target.client,
      url: target.url,
      runsServer: target.kind === 'own server',
      payUrl: (values.pay_url ?? target.url).replace(/\/+$/, ''),
      terminal,
      colour: colourLevel(values.color, host.env, true) > 0,
      unicode: hasUnicode(host.env),
      systemClock: host.systemClock,
      openPage: (paymentId, url) => openPage(target.client, session, { paymentId, url }),
      edit: (name, text, signal) => editText({ name, text }, host, signal),
      suspend: process.platform === 'win32' ? undefined : () => suspendProcess(host.systemClock),
      earlyInput: earlyInput.take,
      explain: sentence,
      report: (line) => out.warn(line),
      onExit: watch.onExit,
      signal: watch.ended,
    })
  } finally {
    code = watch.stop()
  }
  return code
}

/** If this process has started the server, it keeps the server running until the first signal. */
async function openDashboard(session: Session): Promise<number | undefined> {
  const { out, host, values, signals } = session
  const { client, url, kind } = await session.target('server')
  // Report connection and access errors here, not in the browser.
  await unlessAborted(client.control.clock.get(), signals.ended)
  const page = dashboardUrl(url, values.control_token)
  if (out.json) out.document({ url: page })
  else out.line(page)
  const why = await launchBrowser(page, host)
  const problem = `The browser could not be started: ${why}`
  const hint = `Open ${page} yourself.`
  if (why !== undefined) out.warn(`${problem} ${hint}`)
  if (kind !== 'own server') return undefined
  await untilAborted(signals.ended)
  return 0
}

async function printTail(session: Session): Promise<number | undefined> {
  const { host, out } = session
  const notTerminal = out.columns === undefined ? 'stdout' : 'stdin'
  const reason = host.terminal === undefined ? `${notTerminal} is not a terminal` : 'TERM is dumb'
  if (!out.json) out.note(out.notePaint.dim(`${reason}, so this is the output of \`psp tail\`.`))
  const tail = await import('../tail/run.ts')
  return await tail.run({ args: {}, flags: { kinds: [], raw: false, shop: undefined }, session })
}

function sentence(error: unknown): string {
  const { message, hint } = explain(error)
  return error instanceof Error && 'hint' in error ? `${message} ${hint}` : message
}

/** The signal may be delivered this many ms after it was sent. */
const DELIVERY_TIME = 50

/**
 * Suspends the whole process group, like Ctrl-Z, because the shell waits for a parent such as `npx`. Resolves after the
 * shell has continued the group. If no shell controls the group, the system ignores the signal.
 */
async function suspendProcess(systemClock: Pick<SystemClock, 'setTimeout'>): Promise<void> {
  process.kill(0, 'SIGTSTP')
  await pause(DELIVERY_TIME, systemClock)
}

/** Their default handling would leave the terminal in raw mode. SIGIOT is SIGABRT, but Node emits it separately. */
const CRASH_SIGNALS = ['SIGQUIT', 'SIGABRT', 'SIGIOT'] as const

interface ProcessWatch {
  /** Aborted by a signal of the session or of {@link CRASH_SIGNALS}, by an uncaught error, or by SIGHUP. */
  readonly ended: AbortSignal
  /** Calls `leave` when the process exits. Returns a function that cancels the call. */
  onExit(leave: () => void): () => void
  /**
   * Returns the exit code: 128 + n for a crash signal n, otherwise 0.
   * @throws the uncaught error, if there was one
   */
  stop(): number
}

/**
 * Events that would end the process, such as an uncaught error or a closed terminal, close the view instead, so that
 * the screen is restored before an error is printed.
 */
function watchProcess(ended: AbortSignal): ProcessWatch {
  const closed = new AbortController()
  let uncaught: { readonly error: unknown } | undefined
  let code = 0
  const onHangUp = () => closed.abort()
  const onCrash = (name: NodeJS.Signals) => {
    code = 128 + constants.signals[name]
    closed.abort()
  }
  const onError = (error: unknown) => {
    uncaught ??= { error }
    closed.abort()
  }
  process.on('SIGHUP', onHangUp)
  for (const name of CRASH_SIGNALS) process.on(name, onCrash)
  process.on('uncaughtException', onError)
  process.on('unhandledRejection', onError)
  return {
    ended: AbortSignal.any([ended, closed.signal]),
    onExit(leave) {
      process.on('exit', leave)
      return () => process.off('exit', leave)
    },
    stop() {
      process.off('SIGHUP', onHangUp)
      for (const name of CRASH_SIGNALS) process.off(name, onCrash)
      process.off('uncaughtException', onError)
      process.off('unhandledRejection', onError)
      if (uncaught !== undefined) throw uncaught.error
      return code
    },
  }
}
