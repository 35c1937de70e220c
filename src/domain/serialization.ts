// Spec 1, 2.1 and 9: what the interface leaves open in how records are spelled, as settings.
import type { Shop } from './shop.ts'
import { rfc3339, type SandboxTime } from './time.ts'

/** The settings that change how a record looks and nothing else. */
export interface FormatOptions {
  readonly naming: 'both' | 'shop' | 'terminal'
  readonly empty_dates: 'omit' | 'null' | ''
  readonly time_fraction: 0 | 3 | 6 | 9
}

interface Owner {
  shop_id?: string
  shop_name?: string
  terminal_id?: string
  terminal_name?: string
}

/** `shop_id` and `shop_name`, `terminal_id` and `terminal_name`, or both pairs. */
export function owner(shop: Shop, look: FormatOptions): Owner {
  const named: Owner = {}
  if (look.naming !== 'terminal') {
    named.shop_id = shop.id
    named.shop_name = shop.name
  }
  if (look.naming !== 'shop') {
    named.terminal_id = shop.id
    named.terminal_name = shop.name
  }
  return named
}

/** A record's times, as they are written. */
interface Times {
  created_at?: string | null
  captured_at?: string | null
  finalized_at?: string | null
  completed_at?: string | null
  expires_at?: string | null
  processing_until?: string | null
}

/** Writes one time field; an unset one is left out, null or empty. */
export function instant(into: Times, field: keyof Times, time: SandboxTime | undefined, look: FormatOptions): void {
  if (time !== undefined) into[field] = rfc3339(time, look.time_fraction)
  else if (look.empty_dates === 'null') into[field] = null
  else if (look.empty_dates === '') into[field] = ''
}
