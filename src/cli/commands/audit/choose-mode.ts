// Chooses between the checks, an exploration and the replay of a finding.

import type { Run } from '../../command.ts'
import { flagName } from '../../config/config-keys.ts'
import { usageError } from '../../failure.ts'
import type { FlagValues } from '../../parsing/flags.ts'
import type { AUDIT_ARGUMENTS, AUDIT_FLAGS } from '../audit.ts'

type Flags = FlagValues<typeof AUDIT_FLAGS>

export const run: Run<typeof AUDIT_ARGUMENTS, typeof AUDIT_FLAGS> = async (call) => {
  const { flags } = call
  requireOneMode(flags)
  if (flags.replay !== undefined) return await (await import('./replay.ts')).runReplay(call)
  if (flags.explore !== undefined) return await (await import('./explore.ts')).runExploration(call)
  return await (await import('./run.ts')).runChecks(call)
}

const EXPLORE_FLAGS = ['deliveries', 'seed', 'lanes', 'save', 'story'] as const
const ORDER_FLAGS = ['order_cmd', 'order_url'] as const

/**
 * Rejects flags that belong to another mode, because they would have no effect.
 * @throws CliError exit 2
 */
function requireOneMode(flags: Flags): void {
  const isGiven = (name: keyof Flags) => {
    const given = flags[name]
    return Array.isArray(given) ? given.length > 0 : given !== undefined && given !== false
  }
  const runsChecks = flags.explore === undefined && flags.replay === undefined
  if (flags.explore !== undefined && flags.replay !== undefined)
    throw usageError('--explore and --replay cannot be used together.', 'Omit one of them.')
  const exploreFlag = flags.explore === undefined ? EXPLORE_FLAGS.find(isGiven) : undefined
  if (exploreFlag !== undefined) {
    const name = flagName(exploreFlag)
    throw usageError(`${name} belongs to --explore.`, `Add --explore, or omit ${name}.`)
  }
  const orderFlag = runsChecks ? ORDER_FLAGS.find(isGiven) : undefined
  if (orderFlag !== undefined)
    throw usageError(`${flagName(orderFlag)} belongs to --explore and --replay.`, 'For the checks, give --order-id.')
  if (isGiven('order_cmd') && isGiven('order_url'))
    throw usageError('--order-cmd and --order-url cannot be used together.', 'Omit one of them.')
  const checkFlag = runsChecks ? undefined : (['only', 'return_url', 'strict'] as const).find(isGiven)
  if (checkFlag !== undefined)
    throw usageError(
      `${flagName(checkFlag)} belongs to the checks, not to --explore or --replay.`,
      'Omit it, or run the checks separately.',
    )
}
