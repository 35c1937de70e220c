// A seed: what a new data folder holds before it is first asked. Checked by the schemas of the routes that make the same.
import * as z from 'zod'
import { Refusal, refuse } from '../../domain/errors.ts'
import { numbersWithin, type WrittenNumbers, writtenNumbers } from '../../domain/json-numbers.ts'
import { type Plan, parsePlan, whyNoPlan } from '../../domain/simulator-plan.ts'
import type { Engine } from '../../engine/engine.ts'
import type { BodyShape } from '../body-shape.ts'
import { FieldFaults } from '../field-faults.ts'
import { createPaymentBody, paymentInput } from '../public/create-payment.ts'
import { createPayoutBody } from '../public/create-payout.ts'
import { faultBody } from './faults.ts'
import { anyObject, given } from './fields.ts'
import { firstShopId } from './first-shop.ts'
import { checked } from './input.ts'
import { ruleBody } from './rules.ts'
import { checkWrittenSettings } from './settings.ts'
import { shopBody, shopInput } from './shops.ts'

const LIST = 'a list of objects'
const list = z.array(anyObject('an object'), { error: LIST }).default([])

export const seedDocument = z.strictObject({
  $schema: z.string().optional(),
  shops: list,
  settings: anyObject('an object of settings').optional(),
  rules: list,
  faults: list,
  payments: list,
  payouts: list,
})

/**
 * Checks the form of a seed whole, and gives what makes it. Payments and payouts belong to the first shop of the seed, or
 * to the start shop where the seed has none.
 * @param text the JSON that the document came from, to quote its numbers as they were written
 * @throws Refusal `bad_request` that names the path: `shops[0].endpoints[1].url: expected …`
 */
export function readSeed(document: unknown, text?: string): (engine: Engine) => void {
  const numbers = text === undefined ? undefined : writtenNumbers(text)
  const within = (list: string, i: number) => numbersWithin(numbers, list, i)
  const seed = at('', () => checked(seedDocument, document, numbers, 'seed'))
  const shops = seed.shops.map((body, i) => at(`shops[${i}].`, () => checked(shopBody, body, within('shops', i))))
  const rules = seed.rules.map((body, i) => at(`rules[${i}].`, () => checked(ruleBody, body, within('rules', i))))
  const faults = seed.faults.map((body, i) => at(`faults[${i}].`, () => checked(faultBody, body, within('faults', i))))
  const payments = seed.payments.map((body, i) =>
    at(`payments[${i}].`, () => planned(createPaymentBody, body, within('payments', i))),
  )
  const payouts = seed.payouts.map((body, i) =>
    at(`payouts[${i}].`, () => planned(createPayoutBody, body, within('payouts', i))),
  )
  return (engine) => {
    at('settings: ', () => changeSettings(engine, seed.settings, numbersWithin(numbers, 'settings')))
    const made = shops.map((body, i) => at(`shops[${i}].`, () => engine.execute('create_shop', shopInput(body))))
    const caller = { shop_id: made[0]?.shop.id ?? firstShopId(engine.world), mode: 'test' } as const
    // The newest rule is asked first; in a file the first one is.
    for (const [i, body] of [...rules.entries()].reverse()) {
      at(`rules[${i}].`, () => engine.execute('add_rule', given(body)))
    }
    for (const [i, body] of [...faults.entries()].reverse()) {
      at(`faults[${i}].`, () => engine.execute('add_fault', given(body)))
    }
    for (const [i, { body, plan }] of payments.entries()) {
      at(`payments[${i}].`, () => {
        const input = paymentInput(body, engine.world.settings)
        engine.execute('create_payment', { caller, input, ...plan })
      })
    }
    for (const [i, { body, plan }] of payouts.entries()) {
      const { method, ...input } = body
      at(`payouts[${i}].`, () => engine.execute('create_payout', { caller, input: given(input), ...plan }))
    }
  }
}

/** A create body and its `outcome`. */
function planned<T>(
  shape: BodyShape<T>,
  value: Record<string, unknown>,
  numbers: WrittenNumbers | undefined,
): { body: T; plan: { plan?: Plan } } {
  const { outcome, ...rest } = value
  const plan = outcome === undefined ? undefined : parsePlan(String(outcome))
  if (outcome !== undefined && plan === undefined) {
    throw refuse('bad_request', `outcome: ${whyNoPlan(String(outcome))}`)
  }
  const known = Object.keys(shape.schema.shape)
  const unknown = Object.keys(rest).filter((name) => !known.includes(name))
  if (unknown.length > 0) {
    const faults = unknown.slice(0, 5).map((name) => ({ path: [name.slice(0, 60)], why: 'unknown field.' }))
    throw new FieldFaults(faults, `Known are ${[...known, 'outcome'].join(', ')}.`)
  }
  const body = shape.check(rest, { strict: true, warnings: [] }, numbers)
  return { body, plan: plan === undefined ? {} : { plan } }
}

function changeSettings(engine: Engine, values: Record<string, unknown> = {}, numbers?: WrittenNumbers): void {
  if (Object.keys(values).length === 0) return
  checkWrittenSettings(values, numbers)
  engine.execute('change_settings', { values, beneath: true })
}

/** Puts the place in front of what a refusal says, in the spelling of paths: `endpoints.1.url` is `endpoints[1].url`. */
function at<T>(place: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    if (error instanceof FieldFaults) throw refuse('bad_request', error.within(place))
    const message = error.message.replace(/^[\w.]+(?=: )/, (path) => path.replace(/\.(\d+)(?=\.|$)/g, '[$1]'))
    throw refuse('bad_request', `${/^[\w.[\]]+: /.test(message) ? place : place.replace(/\.$/, ': ')}${message}`)
  }
}
