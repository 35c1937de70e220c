// Runs one command line, from its arguments to its exit code.
import { CommanderError } from 'commander'
import { unlessAborted } from '../domain/promises.ts'
import { VERSION } from '../domain/version.ts'
import type { Command } from './command.ts'
import { COMMANDS } from './commands/index.ts'
import { closestVariables } from './config/config.ts'
import { CONFIG_FILE, readBrokenConfigFile, readConfigFile } from './config/config-file.ts'
import { EXIT_CODES, exitCodeOf } from './failure.ts'
import { commandPath, expandHelp } from './help/help-command.ts'
import type { HostProcess } from './host-process.ts'
import { fileReason, resolvePath } from './input/files.ts'
import { COLOUR_MODES, colourLevel, createPaint } from './output/colour.ts'
import { createOutput, type Output } from './output/output.ts'
import { terminalColumns } from './output/terminal-width.ts'
import { toFlagNames } from './parsing/command-errors.ts'
import { buildParser, type Invocation } from './parsing/parser.ts'
import { parserError } from './parsing/parser-errors.ts'
import { parentTie, watchParent } from './process/parent-exit.ts'
import {
  endCode,
  InterruptedError,
  interruptedCode,
  type Signals,
  signalCode,
  watchSignals,
} from './process/signals.ts'
import { openSession, type Session, type Target, type TargetFallback } from './session.ts'
import { createDryRun, isDryRunComplete } from './target/dry-run.ts'

/** ms for cleanup after a signal or a failed write to stdout. Then the process ends. */
const CLEANUP_TIME_LIMIT = 2000

/** The running command, for the error handler of stdout. */
interface CurrentCommand {
  out: Output
  end: (code: number) => void
  /** See {@link Command}. */
  survivesClosedStdout: boolean
}

/**
 * Runs `argv` (without node and script). Never throws. Ends the process only at a second signal, after a cleanup that
 * takes too long, or if a write to stdout fails while no command runs.
 */
export async function runProgram(argv: readonly string[], host: HostProcess): Promise<number> {
  if (argv[0] === 'complete') {
    const { complete } = await import('./help/complete.ts')
    complete(COMMANDS, argv.slice(argv[1] === '--' ? 2 : 1))
    return EXIT_CODES.done
  }
  let invocation: Invocation | undefined
  const early = await earlyOutput(argv, host)
  const running: CurrentCommand = { out: early, end: host.exit, survivesClosedStdout: false }
  watchStreams(host, running)
  try {
    const columns = terminalColumns(host.stdout)
    const parser = buildParser(COMMANDS, {
      version: early.json ? JSON.stringify({ version: VERSION }) : VERSION,
      help: { paint: early.paint, columns: Math.min(columns, 120) },
      json: early.json,
      write: (text) => host.stdout.write(text),
      onInvoke(called) {
        invocation = called
      },
    })
    // Commander accepts only one short flag per option, and `--version` has `-v`.
    const words = argv[0] === '-V' ? ['--version', ...argv.slice(1)] : argv
    await parser.parseAsync([...expandHelp(COMMANDS, words)], { from: 'user' })
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return EXIT_CODES.done
    const failure =
      error instanceof CommanderError ? parserError(error, argv, commandPath(COMMANDS, argv), COMMANDS) : error
    early.failure(failure)
    return exitCodeOf(failure)
  }
  return invocation === undefined ? EXIT_CODES.done : await invoke(invocation, host, running)
}

async function invoke(invocation: Invocation, host: HostProcess, running: CurrentCommand): Promise<number> {
  const signals = watchSignals(host.signals, host.systemClock, host.exit)
  const outputError: { code?: number; deadline?: { cancel(): void } } = {}
  running.survivesClosedStdout = invocation.command.survivesClosedStdout
  // Does not exit at once: the command first releases its resources, such as a stream key.
  running.end = (code) => {
    outputError.code = code
    outputError.deadline = host.systemClock.setTimeout(() => host.exit(code), CLEANUP_TIME_LIMIT)
    signals.end()
  }
  try {
    const code = await runCommand(invocation, host, running, signals)
    return outputError.code ?? code
  } finally {
    running.end = host.exit
    outputError.deadline?.cancel()
    signals.close()
  }
}

async function runCommand(
  invocation: Invocation,
  host: HostProcess,
  running: CurrentCommand,
  signals: Signals,
): Promise<number> {
  let session: Session | undefined
  let watch: { cancel(): void } | undefined
  try {
    const read = invocation.command.reportsBrokenConfig ? readBrokenConfigFile : readConfigFile
    session = await openSession(
      { ...invocation.config, env: host.env, file: read(resolvePath(host, CONFIG_FILE)) },
      host,
      signals,
      invocation.flags['dry_run'] === true ? createDryRun() : undefined,
      invocation.command.supportsDryRun || invocation.command.isLongRunning ? 'folder' : 'read',
      openTarget,
    )
    running.out = session.out
    watch = watchSession(session, invocation.command)
    for (const [given, meant] of closestVariables(host.env)) {
      session.out.aside(session.out.notePaint.warn(`${given} is not a variable of psp. Did you mean ${meant}?`))
    }
    const run = await invocation.command.load()
    const call = { args: invocation.args, flags: invocation.flags, session }
    const ended = run(call)
    if (invocation.command.isLongRunning) return (await ended) ?? EXIT_CODES.done
    return (await unlessAborted(ended, signals.ended)) ?? EXIT_CODES.done
  } catch (error) {
    if (error instanceof InterruptedError) {
      const name = signals.name()
      return name === undefined || invocation.command.endsNormallyAtSignal ? endCode(signals) : signalCode(name)
    }
    const { out } = running
    if (session?.dryRun !== undefined && isDryRunComplete(error)) {
      return await showDryRun(session)
    }
    const isWithoutServer = (await session?.isWithoutServer()) ?? false
    out.failure(toFlagNames(error, invocation.command.flags, { ...invocation.args, isWithoutServer }))
    return exitCodeOf(error)
  } finally {
    const deadline = host.systemClock.setTimeout(() => host.exit(interruptedCode(signals)), CLEANUP_TIME_LIMIT)
    if (!signals.ended.aborted) deadline.cancel()
    await session?.close()
    session?.out.finish()
    deadline.cancel()
    watch?.cancel()
  }
}

function watchSession({ host, values, out, signals }: Session, command: Command) {
  const tie = parentTie(command, values, host.env)
  if (tie === undefined) return undefined
  return watchParent(host, tie, () => {
    if (tie === 'asked') out.note(out.notePaint.dim('The parent process of psp has ended.'))
    signals.raise('SIGTERM')
  })
}

/** Loads the module only if a command needs its sandbox. */
async function openTarget(session: Session, fallback?: TargetFallback): Promise<Target> {
  const module = await import('./target/target.ts')
  return module.openTarget(session, fallback)
}

/** Prints the dry run. A predicted error is reported like a real one. */
async function showDryRun(session: Session): Promise<number> {
  try {
    const module = await import('./target/dry-run-view.ts')
    await module.printDryRun(session)
    return EXIT_CODES.done
  } catch (error) {
    session.out.failure(error)
    return exitCodeOf(error)
  }
}

/** Creates the output that is used before the configuration is read, from the raw arguments and the environment. */
async function earlyOutput(argv: readonly string[], host: HostProcess): Promise<Output> {
  const given = argv.slice(0, argv.includes('--') ? argv.indexOf('--') : argv.length)
  const mode =
    COLOUR_MODES.find((one) => given.join(' ').includes(`--color ${one}`) || given.includes(`--color=${one}`)) ?? 'auto'
  return createOutput({
    stdout: host.stdout,
    stderr: host.stderr,
    json: given.includes('--json') || given.includes('-j'),
    quiet: false,
    debug: given.includes('--debug'),
    animate: false,
    paint: await createPaint(colourLevel(mode, host.env, host.stdout.isTTY === true)),
    notePaint: await createPaint(colourLevel(mode, host.env, host.stderr.isTTY === true)),
  })
}

/**
 * Handles failed writes to stdout. By default the command ends: silently if the reader has exited, as with `| head`,
 * otherwise with an error. It continues if stdout is only its log, or if the reader has exited and
 * `survivesClosedStdout` is set.
 */
function watchStreams(host: HostProcess, running: CurrentCommand): void {
  let warned = false
  let ending = false
  host.stderr.on('error', () => {})
  host.stdout.on('error', (error) => {
    const { out, survivesClosedStdout } = running
    const hasReaderExited = error.code === 'EPIPE'
    if (hasReaderExited && survivesClosedStdout) return
    if (out.toleratesFailedWrites()) {
      if (!warned && !hasReaderExited)
        out.warn(`stdout cannot be written: ${fileReason(error)}. The command continues without this output.`)
      warned = true
      return
    }
    if (ending) return
    ending = true
    if (!hasReaderExited) out.failure(error)
    running.end(hasReaderExited ? EXIT_CODES.done : EXIT_CODES.failed)
  })
}
