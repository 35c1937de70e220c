// One command line from its words to its exit code.
import { CommanderError } from 'commander'
import type { Command } from './command.ts'
import { COMMANDS } from './commands/index.ts'
import { nearVariables } from './config/config.ts'
import { CONFIG_FILE, readConfigFile } from './config/config-file.ts'
import { EXIT_CODES } from './exit-codes.ts'
import { exitCodeOf } from './failure.ts'
import { askedHelp, commandPath } from './help/asked-help.ts'
import type { Host } from './host.ts'
import { namedPath } from './input/named-path.ts'
import { COLOUR_MODES, colourLevel, createPaint } from './output/colour.ts'
import { createOutput, type Output } from './output/output.ts'
import { watchStreams } from './output/watch-streams.ts'
import { inOwnWords } from './parsing/flag-names.ts'
import { buildParser, type Invocation } from './parsing/parser.ts'
import { usageOf } from './parsing/usage-error.ts'
import { parentTie, watchParent } from './process/orphaned.ts'
import { endCode, Interrupted, type Signals, signalCode, watchSignals } from './process/signals.ts'
import { openSession, type Session } from './session.ts'
import { createRehearsal, isRehearsed } from './target/dry-run.ts'
import type { Target, TargetWish } from './target/target-contract.ts'
import { VERSION } from './version.ts'

/** ms an interrupted command has to put things back before it is ended. */
const GRACE = 2000

/** Where what goes wrong with stdout is told, and how the command in hand ends then. */
interface Running {
  out: Output
  end: (code: number) => void
}

/** Runs `argv` (without node and script). Never throws and never ends the process, but for a second signal. */
export async function runProgram(argv: readonly string[], host: Host): Promise<number> {
  if (argv[0] === 'complete') {
    const { complete } = await import('./help/complete.ts')
    complete(COMMANDS, argv.slice(argv[1] === '--' ? 2 : 1))
    return EXIT_CODES.done
  }
  let invocation: Invocation | undefined
  const early = await earlyOutput(argv, host)
  const running: Running = { out: early, end: host.exit }
  watchStreams(
    host,
    () => running.out,
    (code) => running.end(code),
  )
  try {
    const columns = host.stdout.columns ?? 80
    const parser = buildParser(COMMANDS, {
      version: early.json ? JSON.stringify({ version: VERSION }) : VERSION,
      help: { paint: early.paint, columns: Math.min(columns, 120) },
      json: early.json,
      write: (text) => host.stdout.write(text),
      onInvoke(called) {
        invocation = called
      },
    })
    // As GNU programs spell it; commander takes one letter.
    const asked = argv[0] === '-V' ? ['--version', ...argv.slice(1)] : argv
    await parser.parseAsync([...askedHelp(COMMANDS, asked)], { from: 'user' })
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return EXIT_CODES.done
    const failure = error instanceof CommanderError ? usageOf(error, argv, commandPath(COMMANDS, argv)) : error
    early.failure(failure)
    return exitCodeOf(failure)
  }
  return invocation === undefined ? EXIT_CODES.done : await invoke(invocation, host, running)
}

async function invoke(invocation: Invocation, host: Host, running: Running): Promise<number> {
  const signals = watchSignals(host.signals, host.wall, host.exit)
  const unwritable: { code?: number; deadline?: { cancel(): void } } = {}
  // What the command took, such as a key for its stream, is given back first.
  running.end = (code) => {
    unwritable.code = code
    unwritable.deadline = host.wall.setTimeout(() => host.exit(code), GRACE)
    signals.end()
  }
  try {
    const code = await runCommand(invocation, host, running, signals)
    return unwritable.code ?? code
  } finally {
    running.end = host.exit
    unwritable.deadline?.cancel()
    signals.close()
  }
}

async function runCommand(invocation: Invocation, host: Host, running: Running, signals: Signals): Promise<number> {
  let session: Session | undefined
  const parent = host.parent?.()
  let watch: { cancel(): void } | undefined
  try {
    session = await openSession(
      { ...invocation.config, env: host.env, file: readConfigFile(namedPath(host, CONFIG_FILE)) },
      host,
      signals,
      invocation.flags['dry_run'] === true ? createRehearsal() : undefined,
      invocation.command.rehearses || invocation.command.stays ? 'folder' : 'read',
      openTarget,
    )
    running.out = session.out
    watch = watchSession(session, invocation.command, parent)
    for (const [given, meant] of nearVariables(host.env)) {
      session.out.aside(session.out.notePaint.odd(`${given} is no variable of psp: did you mean ${meant}?`))
    }
    const { run } = await invocation.command.load()
    const call = { args: invocation.args, flags: invocation.flags, session }
    const ended = run(call)
    if (invocation.command.stays) return (await ended) ?? EXIT_CODES.done
    return (await Promise.race([ended, interruption(session)])) ?? EXIT_CODES.done
  } catch (error) {
    if (error instanceof Interrupted) {
      const name = signals.name()
      return name === undefined || invocation.command.stays ? endCode(signals) : signalCode(name)
    }
    const { out } = running
    if (session?.rehearsal !== undefined && isRehearsed(error)) {
      return await showRehearsal(session)
    }
    const unserved = (await session?.unserved()) ?? false
    out.failure(inOwnWords(error, invocation.command.flags, { ...invocation.args, unserved }))
    return exitCodeOf(error)
  } finally {
    const deadline = host.wall.setTimeout(() => host.exit(signalCode(signals.name() ?? 'SIGINT')), GRACE)
    if (!signals.ended.aborted) deadline.cancel()
    await session?.close()
    session?.out.finish()
    deadline.cancel()
    watch?.cancel()
  }
}

function watchSession({ host, values, out, signals }: Session, command: Command, parent: number | undefined) {
  const tie = parentTie(command, values, host.env)
  if (tie === undefined) return undefined
  return watchParent(host, parent, tie, () => {
    if (tie === 'asked') out.note(out.notePaint.dim('The process that started this server has ended.'))
    signals.raise('SIGTERM')
  })
}

/** Loaded when a command asks for its sandbox. */
async function openTarget(session: Session, wish?: TargetWish): Promise<Target> {
  const room = await import('./target/target.ts')
  return room.openTarget(session, wish)
}

/** Loaded when something was kept back. A refusal that can be foreseen is one. */
async function showRehearsal(session: Session): Promise<number> {
  try {
    const room = await import('./target/rehearsal-view.ts')
    await room.printRehearsal(session)
    return EXIT_CODES.done
  } catch (error) {
    session.out.failure(error)
    return exitCodeOf(error)
  }
}

function interruption({ signals }: Session): Promise<never> {
  return new Promise((_, reject) => {
    const stop = () => reject(signals.ended.reason)
    if (signals.ended.aborted) stop()
    signals.ended.addEventListener('abort', stop, { once: true })
  })
}

/** Before the configuration is known, errors go by the bare words of the command line. */
async function earlyOutput(argv: readonly string[], host: Host): Promise<Output> {
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
