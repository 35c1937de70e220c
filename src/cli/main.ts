// The bin's entry. Nothing is imported here that `--version` does not need.
import { VERSION } from './version.ts'

/** Runs one command line and leaves its exit code in `process.exitCode`; the process then ends by itself. */
export async function main(argv: readonly string[] = process.argv.slice(2)): Promise<void> {
  if (argv.length === 1 && (argv[0] === '--version' || argv[0] === '-V')) {
    process.stdout.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE') return
      tell(argv, error.code ?? 'failed', error.message, STDOUT_HINT)
      process.exitCode = 1
    })
    process.stdout.write(`${VERSION}\n`)
    return
  }
  // Only where nothing is left to wait for: `process.exit` does not come by here.
  const emptied = () => {
    const message = `psp ${argv[0] ?? ''}`.trim()
    tell(argv, 'internal_error', `${message} ended before it was done: nothing was left to wait for.`, FAULT_HINT)
    process.exitCode = 1
  }
  process.once('beforeExit', emptied)
  const [{ runProgram }, { nodeHost }] = await Promise.all([import('./program.ts'), import('./host.ts')])
  const host = hostOf(argv, nodeHost)
  process.exitCode = host === undefined ? 1 : await runProgram(argv, host)
  process.off('beforeExit', emptied)
}

const STDOUT_HINT = 'The system refused; `psp doctor` checks the usual causes.'
const FAULT_HINT = 'This is a fault of psp. Run it again with --debug and report what it says.'

/** `undefined`, and told, where the working folder is gone: nothing can be run there. */
function hostOf<H>(argv: readonly string[], nodeHost: () => H): H | undefined {
  try {
    return nodeHost()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    const [message, hint] = ['The working folder does not exist any more.', 'Go to another one, and run it again.']
    tell(argv, 'no_folder', message, hint)
    return undefined
  }
}

/** As `Output` shows a failure, without what it loads. */
function tell(argv: readonly string[], code: string, message: string, hint: string): void {
  const json = argv.includes('--json') && !argv.slice(0, argv.indexOf('--json')).includes('--')
  process.stderr.write(json ? `${JSON.stringify({ error: { code, message, hint } })}\n` : `error ${message}\n${hint}\n`)
}
