import type { ShopBody } from '../../../client/control-types.ts'
import { allowListEntryIssue } from '../../../domain/ip-allow-list.ts'
import { usage } from '../../failure.ts'
import type { FlagValues } from '../../parsing/flags.ts'
import type { CHANGE_FLAGS } from './flags.ts'

/** Returns the shop fields that flags set. Other fields do not change. */
export function shopBody(flags: FlagValues<typeof CHANGE_FLAGS>): ShopBody {
  if (flags.live && flags.no_live) throw usage('--live and --not-live exclude each other.', 'Omit one of them.')
  const wrong = flags.ip.map((entry) => (entry === '' ? undefined : allowListEntryIssue(entry))).find(Boolean)
  if (wrong !== undefined) throw usage(`--ip: ${wrong}`, 'An empty value clears the list.')
  return {
    name: flags.name,
    live_enabled: flags.live ? true : flags.no_live ? false : undefined,
    require_signature: switchOf(flags.require_signature),
    ip_allow_list: flags.ip.length === 0 ? undefined : flags.ip.filter((entry) => entry !== ''),
    rate_limit: flags.rate_limit,
    payout_route: switchOf(flags.payout_route),
  }
}

function switchOf(word: 'on' | 'off' | undefined): boolean | undefined {
  return word === undefined ? undefined : word === 'on'
}
