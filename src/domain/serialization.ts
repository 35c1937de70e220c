// Spec 1, 2.1 and 9: details of the JSON format that the specification leaves open, as settings.
import type { Shop } from './shop.ts'
import { rfc3339, type SandboxTime } from './time.ts'

/** The settings that change only the format of a record. */
export interface FormatOptions {
  readonly naming: 'both' | 'shop' | 'terminal'
  readonly empty_dates: 'omit' | 'null' | ''
  readonly time_fraction: 0 | 3 | 6 | 9
}

interface ShopFields {
  shop_id?: string
  shop_name?: string
  terminal_id?: string
  terminal_name?: string
}

/** Returns `shop_id` and `shop_name`, `terminal_id` and `terminal_name`, or both pairs. */
export function shopFields(shop: Shop, format: FormatOptions): ShopFields {
  const named: ShopFields = {}
  if (format.naming !== 'terminal') {
    named.shop_id = shop.id
    named.shop_name = shop.name
  }
  if (format.naming !== 'shop') {
    named.terminal_id = shop.id
    named.terminal_name = shop.name
  }
  return named
}

/** The formatted times of a record. */
interface Times {
  created_at?: string | null
  captured_at?: string | null
  finalized_at?: string | null
  completed_at?: string | null
  expires_at?: string | null
  processing_until?: string | null
}

/** Writes a time field. An unset time is omitted, null or empty. */
export function writeTime(into: Times, field: keyof Times, time: SandboxTime | undefined, format: FormatOptions): void {
  if (time !== undefined) into[field] = rfc3339(time, format.time_fraction)
  else if (format.empty_dates === 'null') into[field] = null
  else if (format.empty_dates === '') into[field] = ''
}
