import type { Sandbox } from '../../sandbox.ts'
import { PagesNotWrittenError } from '../../store/errors.ts'
import { CliError } from '../failure.ts'

/** Closes the sandbox. @throws CliError if its data directory was removed, moved or taken over while the command ran */
export async function closeSandbox(sandbox: Sandbox, grace_ms: number): Promise<void> {
  const failure = await sandbox.close({ grace_ms }).then(
    () => undefined,
    (error: unknown) => ({ error }),
  )
  if (sandbox.store.lostReason() !== undefined) throw folderLost()
  if (failure?.error instanceof PagesNotWrittenError) throw pagesNotWritten(failure.error)
  if (failure !== undefined) throw failure.error
}

function pagesNotWritten({ message }: PagesNotWrittenError): CliError {
  const hint = 'Fix the cause, then start psp again on this directory: it continues from the journal.'
  return new CliError('failed', message, hint, 'pages_not_written')
}

function folderLost(): CliError {
  return new CliError(
    'failed',
    'The data directory was lost while psp used it (see above). The last changes may be missing.',
    'Restore the directory from a backup, or start psp again and import a saved state with `psp store import`.',
    'folder_lost',
  )
}
