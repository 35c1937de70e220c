// The bin's entry. Nothing is imported here that `--version` does not need.
import { VERSION } from './version.ts'

/** Runs one command line and leaves its exit code in `process.exitCode`; the process then ends by itself. */
export async function main(argv: readonly string[] = process.argv.slice(2)): Promise<void> {
  if (argv.length === 1 && (argv[0] === '--version' || argv[0] === '-V')) {
    process.stdout.write(`${VERSION}\n`)
    return
  }
  const [{ runProgram }, { nodeHost }] = await Promise.all([import('./program.ts'), import('./host.ts')])
  const host = hostOf(argv, nodeHost)
  process.exitCode = host === undefined ? 1 : await runProgram(argv, host)
}

/** `undefined`, and told, where the working folder is gone: nothing can be run there. */
function hostOf<H>(argv: readonly string[], nodeHost: () => H): H | undefined {
  try {
    return nodeHost()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    const [message, hint] = ['The working folder does not exist any more.', 'Go to another one, and run it again.']
    const json = argv.includes('--json') && !argv.slice(0, argv.indexOf('--json')).includes('--')
    process.stderr.write(
      json ? `${JSON.stringify({ error: { code: 'no_folder', message, hint } })}\n` : `error ${message}\n${hint}\n`,
    )
    return undefined
  }
}
