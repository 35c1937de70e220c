// Compares a recorded JSON body with that of the sandbox: fields, types and forms, and the values that rules decide.
import { durationInWords } from '../../domain/time.ts'
import { fieldKind } from '../personal-fields.ts'
import type { Difference } from './difference.ts'
import { asObject, type JsonObject } from './recorded-call.ts'
import { fractionDigits, textForm } from './text-form.ts'

export interface JsonContext {
  readonly operation: string
  readonly entry: number
  /** ms of the recording from the creation of the object to its response; the sandbox may open a session this much later. */
  readonly elapsed: (object: JsonObject) => number
}

/** Fields whose values follow from the request or from the rules of the service. Ids, times and texts do not. */
const DECIDED: ReadonlySet<string> = new Set([
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

  function add(kind: Difference['kind'], at: string, was: string, is: string, detail?: JsonObject): void {
    const { operation, entry } = context
    found.push({ kind, operation, at, recorded: was, sandbox: is, entry, ...(detail === undefined ? {} : { detail }) })
  }

  function walk(was: unknown, is: unknown, at: string): void {
    if (isMasked(was)) return
    if (typeName(was) !== typeName(is)) {
      add('type', at, `${typeName(was)} ${shown(was, at)}`, `${typeName(is)} ${shown(is, at)}`, {
        recorded: was,
        sandbox: is,
      })
    } else if (Array.isArray(was) && Array.isArray(is)) {
      if (was.length !== is.length) add('length', at, String(was.length), String(is.length))
      for (let i = 0; i < Math.min(was.length, is.length); i++) walk(was[i], is[i], `${at}[]`)
    } else if (asObject(was) !== undefined) {
      compareObjects(was as JsonObject, is as JsonObject, at)
    } else {
      compareValues(was, is, at)
    }
  }

  function compareObjects(was: JsonObject, is: JsonObject, at: string): void {
    const path = (name: string) => (at === '' ? name : `${at}.${name}`)
    for (const name of Object.keys(was)) {
      if (!Object.hasOwn(is, name))
        add('missing', path(name), shown(was[name], path(name)), 'absent', { recorded: was[name] })
    }
    for (const name of Object.keys(is)) {
      if (!Object.hasOwn(was, name))
        add('added', path(name), 'absent', shown(is[name], path(name)), { sandbox: is[name] })
      else if (Object.hasOwn(was, name)) walk(was[name], is[name], path(name))
    }
    compareSpans(was, is, path)
  }

  function compareValues(was: unknown, is: unknown, at: string): void {
    if (typeof was === 'string' && typeof is === 'string') {
      if (textForm(was) !== textForm(is) && !isFree(at)) {
        add('form', at, shown(was, at), shown(is, at), { recorded: was, sandbox: is })
        return
      }
    }
    const name = at.slice(at.lastIndexOf('.') + 1)
    if (was === is || !DECIDED.has(name) || isFree(at)) return
    if (GENERATED.test(String(was)) && GENERATED.test(String(is))) return
    add('value', at, shown(was, at), shown(is, at), { recorded: was, sandbox: is })
  }

  /** Compares the time from the creation to the expiry, because the service decides it. The times themselves always differ. */
  function compareSpans(was: JsonObject, is: JsonObject, path: (name: string) => string): void {
    for (const name of ['expires_at', 'processing_until']) {
      const [before, after] = [span(was, name), span(is, name)]
      if (before === undefined || after === undefined) continue
      const late = name === 'processing_until' ? Math.max(0, context.elapsed(was)) : 0
      if (after - before >= -TOLERANCE && after - before <= late + TOLERANCE) continue
      const words = (ms: number) => `${durationInWords(ms)} after created_at`
      add('value', path(name), words(before), words(after), { recorded: before, method: was['method'] })
    }
  }
}

const TOLERANCE = 2000 // ms

function span(object: JsonObject, name: string): number | undefined {
  if (fractionDigits(object['created_at']) === undefined || fractionDigits(object[name]) === undefined) return undefined
  return Date.parse(object[name] as string) - Date.parse(object['created_at'] as string)
}

/** A recording contains a mask instead of a secret, and instead of digits that look like a card number. */
const isMasked = (value: unknown) => typeof value === 'string' && value.includes('**')

/** Merchants choose the values of metadata, and recordings replace personal data in it. */
const isFree = (at: string) => /(^|\.)metadata\./.test(at)

function typeName(value: unknown): string {
  return value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value
}

/** Returns the value as JSON, without the values of personal fields. The report masks and shortens it. */
function shown(value: unknown, at: string): string {
  if (Array.isArray(value)) return '[…]'
  if (asObject(value) !== undefined) return '{…}'
  if (typeof value === 'string' && value !== '' && fieldKind(at.split('.')) !== undefined) return '"…"'
  return JSON.stringify(value) ?? 'absent'
}
