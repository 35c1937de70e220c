import { resolvePath } from '../../input/resolve-path.ts'
import { findLockedDir } from '../../local/find-locked-dir.ts'
import { readReadyFile } from '../../local/ready-file.ts'
import type { Session } from '../../session.ts'
import { addressOf } from '../../target/other-server.ts'

/** Returns the URL of `psp serve` with this configuration: from its lock or ready file, otherwise from host and port. */
export function serverUrl(session: Session): string {
  const { values, host } = session
  const file = values.ready_file === undefined ? undefined : readReadyFile(resolvePath(host, values.ready_file))
  if (file !== undefined) return file.url
  if (values.url !== undefined) return values.url
  const told = values.ephemeral ? undefined : findLockedDir(session)?.url
  return told ?? addressOf(values.host, values.port)
}
