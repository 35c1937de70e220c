import { heldFolder } from '../../held-folder.ts'
import { namedPath } from '../../named-path.ts'
import { addressOf } from '../../neighbour.ts'
import { readReadyFile } from '../../ready-file.ts'
import type { Session } from '../../session.ts'

/** Where `psp serve` with this configuration is: its own word first, else host and port. */
export function serverUrl(session: Session): string {
  const { values, host } = session
  const file = values.ready_file === undefined ? undefined : readReadyFile(namedPath(host, values.ready_file))
  if (file !== undefined) return file.url
  if (values.url !== undefined) return /^[a-z]+:\/\//i.test(values.url) ? values.url : `http://${values.url}`
  const told = values.ephemeral ? undefined : heldFolder(session)?.url
  return told ?? addressOf(values.host, values.port)
}
