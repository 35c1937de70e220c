import { constants } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { createClient } from '../../../client/client.ts'
import { timedOutWaits, WAITS_VARIABLE } from '../../../client/wait-timeouts.ts'
import { sanitizeLine } from '../../../terminal/sanitize.ts'
import type { Run } from '../../command.ts'
import { CliError, EXIT_CODES, explain } from '../../failure.ts'
import { type LocalServer, startLocalServer } from '../../local/local-server.ts'
import { fetchOf } from '../../local/open-sandbox.ts'
import { createTempDir } from '../../local/temp-dir.ts'
import { interruptedCode, type SignalName } from '../../process/signals.ts'
import type { Session } from '../../session.ts'
import type { EXEC_ARGUMENTS, EXEC_FLAGS } from '../exec.ts'
import { childEnvironment, isProgram, type ProcessGroup, processGroup } from './child-process.ts'
import { collectSandboxData, summarizeFailure } from './failure-summary.ts'
import { makeReportDirectory, writeReport } from './write-report.ts'

/**
 * The exit code is that of the child, or 128 + n if signal n ended the child or was received before the child started.
 * It is 127 if the program was not found, and 126 if it is not executable.
 */
export const run: Run<typeof EXEC_ARGUMENTS, typeof EXEC_FLAGS> = async ({ args, flags, session }) => {
  const report = flags.report === undefined ? undefined : await makeReportDirectory(flags.report, flags.force, session)
  const server = await startLocalServer(session, { folder: undefined, port: flags.port ?? 0 })
  const waits = createWaitsFile(session.host.pid)
  try {
    const code = await runChild(args.command, waits.path, server, session)
    await reportRun(code, report, waits.path, server, session)
    return code
  } finally {
    waits.remove()
    await server.close()
  }
}

async function reportRun(
  code: number,
  report: string | undefined,
  waitsPath: string | undefined,
  server: LocalServer,
  session: Session,
): Promise<void> {
  const { out, signals, values } = session
  const failed = code !== 0 && signals.name() === undefined
  if (report === undefined && (!failed || out.quiet)) return
  const client = createClient({
    fetch: fetchOf(server.sandbox),
    baseUrl: server.url,
    controlToken: values.control_token,
  })
  try {
    const data = await collectSandboxData(client, waitsPath === undefined ? [] : timedOutWaits(waitsPath))
    if (failed) for (const line of summarizeFailure(data)) out.aside(line)
    if (report !== undefined) await writeReport(report, data, client)
  } catch (error) {
    // An error here does not change the exit code of the command.
    if (report !== undefined) out.warn(`--report is incomplete: ${sanitizeLine(explain(error).message)}`)
  }
}

/** Returns the path of a file in which processes of the command record waits that timed out. */
function createWaitsFile(pid: number): { readonly path: string | undefined; remove(): void } {
  try {
    const { path: directory, remove } = createTempDir('exec', pid)
    return { path: join(directory, 'waits.ndjson'), remove }
  } catch {
    // The file is optional, so a full temporary directory is not an error.
    return { path: undefined, remove() {} }
  }
}

async function runChild(
  command: readonly string[],
  waitsPath: string | undefined,
  server: LocalServer,
  session: Session,
): Promise<number> {
  const { out, host, signals } = session
  // A signal was received while the sandbox was starting.
  if (signals.ended.aborted) return interruptedCode(signals)
  const [file = '', ...rest] = command
  out.aside(out.notePaint.dim(`A fresh sandbox at ${server.url} for ${file}.`))
  // In a terminal, the child stays in the foreground group, so that it can read the keyboard and gets Ctrl-C directly.
  const usesGroup = host.terminal === undefined && process.platform !== 'win32'
  const child = execa(file, rest, {
    stdio: 'inherit',
    reject: false,
    cwd: host.cwd,
    env: childEnvironment(host, {
      ...environment(server, session),
      ...(waitsPath === undefined ? {} : { [WAITS_VARIABLE]: waitsPath }),
    }),
    extendEnv: false,
    detached: usesGroup,
  })
  const group = usesGroup && child.pid !== undefined ? processGroup(child.pid, host.systemClock) : undefined
  const forwarding = forwardSignals(child, group, session)
  const result = await child
  forwarding.stop()
  await group?.end()
  const code = (result as { code?: string }).code
  if (code === 'ENOENT') throw notFound(file)
  if (code === 'EACCES') throw notRunnable('not_runnable', `${file} is not executable.`, 'Add the execute permission.')
  // On Windows, the shell searches for the program, and returns 1 if the program is missing.
  if (result.exitCode === 1 && !isProgram(file, host)) throw notFound(file)
  if (result.signal !== undefined) return 128 + (constants.signals[result.signal] ?? 0)
  return result.exitCode ?? EXIT_CODES.failed
}

function environment({ url, defaultShop }: LocalServer, { values }: Session): Record<string, string> {
  return {
    PSP_URL: url,
    PSP_API_KEY: defaultShop.api_key ?? '',
    PSP_SIGNING_SECRET: defaultShop.signing_secret,
    PSP_WEBHOOK_SECRET: defaultShop.webhook_secret,
    ...(values.control_token === undefined ? {} : { PSP_CONTROL_TOKEN: values.control_token }),
  }
}

/** ms for the child to exit after the first signal. */
const GRACE = 2000

/**
 * Forwards the first signal, and kills the child after a grace period or at a second signal. In a terminal, Ctrl-C
 * reaches the child directly and starts no grace period, because the child may handle it without ending.
 */
function forwardSignals(
  child: { kill(signal: SignalName | 'SIGKILL'): boolean },
  group: ProcessGroup | undefined,
  { signals, host }: Session,
): { stop(): void } {
  let killTimer: { cancel(): void } | undefined
  const send = (name: SignalName | 'SIGKILL') => (group === undefined ? child.kill(name) : group.signal(name))
  signals.intercept(
    (name) => {
      if (name === 'SIGINT' && host.terminal !== undefined) return
      send(name)
      killTimer = host.systemClock.setTimeout(() => send('SIGKILL'), GRACE)
    },
    () => void send('SIGKILL'),
  )
  return { stop: () => killTimer?.cancel() }
}

function notFound(file: string): CliError {
  return notRunnable('no_such_program', `${file} was not found.`, 'Check the spelling and PATH.')
}

function notRunnable(exit: 'no_such_program' | 'not_runnable', message: string, hint: string): CliError {
  return new CliError(exit, message, hint)
}
