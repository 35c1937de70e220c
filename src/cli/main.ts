// The bin's entry. Nothing is imported here that `--version` does not need.
import { VERSION } from './version.ts'

/** Runs one command line and leaves its exit code in `process.exitCode`; the process then ends by itself. */
export async function main(argv: readonly string[] = process.argv.slice(2)): Promise<void> {
  if (argv.length === 1 && (argv[0] === '--version' || argv[0] === '-V')) {
    process.stdout.write(`${VERSION}\n`)
    return
  }
  const [{ runProgram }, { nodeHost }] = await Promise.all([import('./program.ts'), import('./host.ts')])
  process.exitCode = await runProgram(argv, nodeHost())
}
