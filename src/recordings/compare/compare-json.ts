// Compares a recorded JSON body with that of the sandbox: fields, types and formats, and the values that the request or
// the API's specification determines.

import { asObject, type JsonObject } from '../../domain/json-values.ts'
import { isReservedKey } from '../../domain/metadata.ts'
import { durationInWords } from '../../domain/time.ts'
import { isKeptText } from '../kept-text.ts'
import type { Difference } from './difference.ts'
import { fractionDigits, textFormat } from './text-format.ts'

export interface JsonContext {
  readonly operation: string
  readonly entry: number
  readonly sessionOpeningTolerance: (object: JsonObject) => SessionOpeningTolerance
}

/** How much the opening of a bank session in the sandbox may differ from the recorded one, in ms. */
export interface SessionOpeningTolerance {
  /**
   * How much earlier the session may open in the sandbox. The recording does not show when the clock of the service was
   * moved between the creation and this response.
   */
  readonly early: number
  /** How much later the session may open. The recording shows only that it opened before this response. */
  readonly late: number
}

/**
 * Fields whose values the request or the API's specification determines. Other values, such as ids, are not compared.
 * Metadata and times have other rules: see `isEchoed` and `compareSpans`.
 */
const COMPARED_VALUES: ReadonlySet<string> = new Set([
  'amount',
  'amount_refunded',
  'amount_usdt',
  'currency',
  'method',
  'status',
  'previous_status',
  'mode',
  'idempotent',
  'failure_code',
  'failure_reason',
  'fail_reason',
  'order_id',
  'phone',
  'bank_id',
  'member_id',
  'kind',
])

/** Order ids that the service generates. They differ between any two runs. */
const GENERATED = /^ord_\d+$/

export function compareJson(recorded: unknown, sandbox: unknown, context: JsonContext): Difference[] {
  const found: Difference[] = []
  walk(recorded, sandbox, '')
  return found

  function add(kind: Difference['kind'], at: string, recorded: string, sandbox: string, detail?: JsonObject): void {
    const { operation, entry } = context
    found.push({ kind, operation, at, recorded, sandbox, entry, ...(detail && { detail }) })
  }

  function walk(recorded: unknown, sandbox: unknown, at: string): void {
    if (isMasked(recorded)) return
    if (typeName(recorded) !== typeName(sandbox)) {
      add('type', at, `${typeName(recorded)} ${shown(recorded, at)}`, `${typeName(sandbox)} ${shown(sandbox, at)}`, {
        recorded,
        sandbox,
      })
    } else if (Array.isArray(recorded) && Array.isArray(sandbox)) {
      if (recorded.length !== sandbox.length) add('length', at, String(recorded.length), String(sandbox.length))
      for (let i = 0; i < Math.min(recorded.length, sandbox.length); i++) walk(recorded[i], sandbox[i], `${at}[]`)
    } else if (asObject(recorded) !== undefined) {
      compareObjects(recorded as JsonObject, sandbox as JsonObject, at)
    } else {
      compareValues(recorded, sandbox, at)
    }
  }

  function compareObjects(recorded: JsonObject, sandbox: JsonObject, at: string): void {
    const path = (name: string) => (at === '' ? name : `${at}.${name}`)
    for (const name of Object.keys(recorded)) {
      if (!Object.hasOwn(sandbox, name))
        add('missing', path(name), shown(recorded[name], path(name)), 'absent', { recorded: recorded[name] })
    }
    for (const name of Object.keys(sandbox)) {
      if (!Object.hasOwn(recorded, name))
        add('added', path(name), 'absent', shown(sandbox[name], path(name)), { sandbox: sandbox[name] })
      else walk(recorded[name], sandbox[name], path(name))
    }
    compareSpans(recorded, sandbox, path)
  }

  function compareValues(recorded: unknown, sandbox: unknown, at: string): void {
    if (typeof recorded === 'string' && typeof sandbox === 'string') {
      if (textFormat(recorded) !== textFormat(sandbox) && !isMerchantText(at)) {
        add('format', at, shown(recorded, at), shown(sandbox, at), { recorded, sandbox })
        return
      }
    }
    const name = at.slice(at.lastIndexOf('.') + 1)
    // Only the sandbox hides a part of the value, because `walk` returns at a recorded mask.
    if (name.endsWith('_mask') && isMasked(sandbox)) add('format', at, shown(recorded, at), shown(sandbox, at))
    const isCompared = isMerchantText(at) ? isEchoed(name, recorded) : COMPARED_VALUES.has(name)
    if (recorded === sandbox || !isCompared) return
    if (GENERATED.test(String(recorded)) && GENERATED.test(String(sandbox))) return
    add('value', at, shown(recorded, at), shown(sandbox, at), { recorded, sandbox })
  }

  /**
   * Compares the times from the creation to the ends of the link and of the bank session, because the service
   * determines them. Also reports a payment that ends before its creation in the recording, but not in the sandbox.
   * Absolute times are not compared, because they always differ.
   */
  function compareSpans(recorded: JsonObject, sandbox: JsonObject, path: (name: string) => string): void {
    for (const name of ['expires_at', 'processing_until']) {
      const [before, after] = [span(recorded, name), span(sandbox, name)]
      if (before === undefined || after === undefined) continue
      const { early, late } = name === 'processing_until' ? context.sessionOpeningTolerance(recorded) : NO_TOLERANCE
      if (after - before >= -early - TOLERANCE && after - before <= late + TOLERANCE) continue
      const words = (ms: number) => `${durationInWords(ms)} after created_at`
      add('value', path(name), words(before), words(after), { recorded: before, method: recorded['method'] })
    }
    for (const name of ['captured_at', 'finalized_at']) {
      const [before, after] = [span(recorded, name), span(sandbox, name)]
      if (before === undefined || after === undefined || before >= -TOLERANCE || after < 0) continue
      add('value', path(name), `${durationInWords(-before)} before created_at`, 'after created_at')
    }
  }
}

const TOLERANCE = 2000 // ms

export const NO_TOLERANCE: SessionOpeningTolerance = { early: 0, late: 0 }

function span(object: JsonObject, name: string): number | undefined {
  if (fractionDigits(object['created_at']) === undefined || fractionDigits(object[name]) === undefined) return undefined
  return Date.parse(object[name] as string) - Date.parse(object['created_at'] as string)
}

/** A recording contains a mask instead of a secret, and instead of digits that look like a card number. */
const isMasked = (value: unknown) => typeof value === 'string' && value.includes('**')

/** Merchants choose the values of metadata, so their format shows nothing about the service. */
const isMerchantText = (at: string) => /(^|\.)metadata\./.test(at)

const HAS_UUID = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/i

/** Whether a metadata value must be that of the request: not a reserved key, and not an id, which a replay replaces. */
function isEchoed(name: string, value: unknown): boolean {
  return !isReservedKey(name) && !(typeof value === 'string' && HAS_UUID.test(value))
}

function typeName(value: unknown): string {
  return value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value
}

/** Returns the value as JSON, without strings that may be personal or secret. */
function shown(value: unknown, at: string): string {
  if (Array.isArray(value)) return '[…]'
  if (asObject(value) !== undefined) return '{…}'
  if (typeof value === 'string' && !isKeptText(at.replaceAll('[]', '').split('.'), value)) return '"…"'
  return JSON.stringify(value) ?? 'absent'
}
