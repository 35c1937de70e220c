// Spec 1, 2.1 and 9: details of the JSON format that the specification leaves open, as settings.
import type { Shop } from './shop.ts'
import { rfc3339, type SandboxTime } from './time.ts'

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

/** Formats a time. An unset time is omitted (`undefined`), null or empty. */
export function timeText(time: SandboxTime, format: FormatOptions): string
export function timeText(time: SandboxTime | undefined, format: FormatOptions): string | null | undefined
export function timeText(time: SandboxTime | undefined, format: FormatOptions): string | null | undefined {
  if (time !== undefined) return rfc3339(time, format.time_fraction)
  return format.empty_dates === 'omit' ? undefined : format.empty_dates === 'null' ? null : ''
}

/** A record with all fields from the start: V8 slows down objects that get many later. JSON omits undefined. */
export type AllFields<R> = { [F in keyof R]-?: R[F] | undefined }
