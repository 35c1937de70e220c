// The entry point of the binary. It imports only what `--version` needs.

import { VERSION } from '../domain/version.ts'
import type { nodeHost } from './host-process.ts'
import type { runProgram } from './program.ts'

/** Everything that `--version` does not need. It is bundled as a separate file. */
export interface Program {
  readonly nodeHost: typeof nodeHost
  readonly runProgram: typeof runProgram
}

/**
 * Runs one command line and sets `process.exitCode`. The process then ends by itself. After a signal, it ends as soon
 * as its output is written.
 * @param startedBy the parent pid at the start of this process
 * @param loadProgram if the package is not built, reports an error and resolves to `undefined`
 */
export async function main(
  argv: readonly string[],
  startedBy: number,
  loadProgram: () => Promise<Program | undefined>,
): Promise<void> {
  if (argv.length === 1 && (argv[0] === '--version' || argv[0] === '-V')) {
    process.stdout.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE') return
      printError(argv, error.code ?? 'failed', error.message, STDOUT_HINT)
      process.exitCode = 1
    })
    process.stdout.write(`${VERSION}\n`)
    return
  }
  // Runs only if the event loop is empty before the command has finished. `process.exit` does not trigger it.
  const onEmptyLoop = () => {
    const message = `psp ${argv[0] ?? ''}`.trim()
    printError(argv, 'internal_error', `${message} ended before it was done: the event loop is empty.`, BUG_HINT)
    process.exitCode = 1
  }
  process.once('beforeExit', onEmptyLoop)
  const program = await loadProgram()
  if (program !== undefined) await run(program, argv, startedBy)
  process.off('beforeExit', onEmptyLoop)
}

async function run(program: Program, argv: readonly string[], startedBy: number): Promise<void> {
  const host = hostOf(argv, () => program.nodeHost(startedBy))
  process.exitCode = host === undefined ? 1 : await program.runProgram(argv, host)
  if (process.exitCode > SIGNAL_CODE_BASE) exitWhenWritten()
}

/** After a signal, the exit code is above this. `exec` may also return such a code from its command. */
const SIGNAL_CODE_BASE = 128

/** Ends the process, even if a request without a response or a timer keeps it alive. */
function exitWhenWritten(): void {
  process.stdout.write('', () => process.stderr.write('', () => process.exit()))
}

const STDOUT_HINT = 'This is an error of the operating system. `psp doctor` checks the usual causes.'
const BUG_HINT = 'This is a bug in psp. Run the command again with --debug and report the output.'

/** Returns `undefined` and prints an error if the working directory has been removed. */
function hostOf<H>(argv: readonly string[], nodeHost: () => H): H | undefined {
  try {
    return nodeHost()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    const hint = 'Change to another directory and run the command again.'
    printError(argv, 'no_folder', 'The working directory does not exist any more.', hint)
    return undefined
  }
}

/** Prints an error in the format of `Output`, without loading that module. */
function printError(argv: readonly string[], code: string, message: string, hint: string): void {
  const end = argv.indexOf('--')
  const json = (end < 0 ? argv : argv.slice(0, end)).some((word) => word === '--json' || word === '-j')
  process.stderr.write(json ? `${JSON.stringify({ error: { code, message, hint } })}\n` : `error ${message}\n${hint}\n`)
}
