import type { Sandbox } from '../../sandbox.ts'
import { PagesNotWritten } from '../../store/errors.ts'
import { CliError } from '../failure.ts'

/** Closes the sandbox. Nobody may think that all is well where its folder was removed, moved or taken over meanwhile. */
export async function closeFolder(sandbox: Sandbox, grace_ms: number): Promise<void> {
  const failure = await sandbox.close({ grace_ms }).then(
    () => undefined,
    (error: unknown) => ({ error }),
  )
  if (sandbox.store.lost() !== undefined) throw folderLost()
  if (failure?.error instanceof PagesNotWritten) throw pagesNotWritten(failure.error)
  if (failure !== undefined) throw failure.error
}

function pagesNotWritten({ message }: PagesNotWritten): CliError {
  const hint = 'Correct the cause, then start psp again on this folder: it continues from the journal.'
  return new CliError('failed', message, hint, 'pages_not_written')
}

function folderLost(): CliError {
  return new CliError(
    'failed',
    'The data folder was lost while psp used it, as told above: what was changed last may not be in it.',
    'Start psp again; what was saved with psp store export goes in with psp store import.',
    'folder_lost',
  )
}
