// The command that replays a finding, to paste into a shell.
import { shellWord } from '../../../domain/characters.ts'
import { formatDuration } from '../../../domain/time.ts'
import type { InvocationName } from '../../host-process.ts'
import type { FlagValues } from '../../parsing/flags.ts'
import type { AUDIT_FLAGS } from '../audit.ts'

type Flags = FlagValues<typeof AUDIT_FLAGS>

export interface ReplayCommandOptions {
  readonly omitSecrets?: boolean
}

/**
 * @param name how the user's shell finds psp: `npx psp`
 * @param url as the user typed it
 * @param omitSecrets for a report, which other people may read: omits the secret and the headers. Commands and URLs are
 *   kept, because the replay needs them
 */
export function replayCommand(
  name: InvocationName,
  url: string,
  flags: Flags,
  file: string,
  { omitSecrets = false }: ReplayCommandOptions = {},
): string {
  const { probe, probe_cmd, probe_settle, secret, order_url, order_cmd, metadata, amount, header, timeout } = flags
  const words = [
    'audit',
    url,
    ...probe.flatMap((label) => ['--probe', label]),
    ...probe_cmd.flatMap((label) => ['--probe-cmd', label]),
    ...given('--probe-settle', probe_settle && formatDuration(probe_settle)),
    ...given('--order-url', order_url),
    ...given('--order-cmd', order_cmd),
    ...metadata.flatMap(([key, value]) => ['--metadata', `${key}=${value}`]),
    ...given('--amount', amount),
    ...given('--timeout', timeout && formatDuration(timeout)),
    ...(omitSecrets ? [] : given('--secret', secret)),
    ...(omitSecrets ? [] : header.flatMap(([name, value]) => ['--header', `${name}: ${value}`])),
    '--replay',
    file,
  ]
  return [name, ...words.map(shellWord)].join(' ')
}

function given(flag: string, value: string | number | undefined): string[] {
  return value === undefined ? [] : [flag, String(value)]
}
