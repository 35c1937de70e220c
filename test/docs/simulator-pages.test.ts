// The sandbox accepts the examples on the pages of outcomes and faults.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import magic from '../../fixtures/magic.json' with { type: 'json' }
import { FAULT_TARGETS, type FaultTarget } from '../../src/domain/faults.ts'
import { parsePlan } from '../../src/domain/simulator-plan.ts'
import { PUBLIC_OPERATIONS } from '../../src/http/public/operations.ts'
import { startTestServer, type TestServer } from '../cli/helpers.ts'
import { faultExample } from './faults-page.ts'
import { outcomesPage } from './outcomes-page.ts'
import { FIELD_WORDS, PLAN_WORDS } from './simulator-words.ts'

let testServer: TestServer
beforeAll(async () => {
  testServer = await startTestServer()
})
afterAll(() => testServer.close())

const FAULTS = (Object.keys(FAULT_TARGETS) as FaultTarget[]).flatMap((target) =>
  FAULT_TARGETS[target].map((name) => faultExample(target, name)),
)

describe('faults', () => {
  test.each(FAULTS)('the sandbox accepts `%s`', async (line) => {
    const { code, stderr } = await testServer.psp(line.replace('psp ', ''))
    expect([code, stderr]).toEqual([0, ''])
  })

  test('the page lists the names of all operations', () => {
    for (const { name } of Object.values(PUBLIC_OPERATIONS)) expect(FIELD_WORDS.operation).toContain(`\`${name}\``)
  })
})

describe('plans', () => {
  const written = [
    ...outcomesPage().matchAll(/`((?:succeeded|failed|refused|error|pending|requires_action|cut)[:@\w]*)`/g),
  ]
  // `error` alone appears in a sentence, and is not a plan.
  const plans = [...new Set(written.map(([, plan = '']) => plan))].filter((plan) => plan !== 'error')

  test.each(plans)('the parser accepts the plan %s', (plan) => {
    expect(parsePlan(plan)?.outcome).toBeDefined()
  })

  test('each outcome has a documented form', () => {
    for (const [outcome, { form }] of Object.entries(PLAN_WORDS)) {
      const code = outcome === 'error' ? 'aml_blocked' : 'card_lost'
      expect(parsePlan(form.replace('<code>', code))?.outcome).toBe(outcome)
    }
  })

  test('each magic value is on the page and has its effect', async () => {
    for (const [digits, { plan }] of Object.entries(magic.amounts)) {
      const amount = `1${digits.padStart(4, '0')}`
      expect(outcomesPage()).toContain(`| \`${amount}\` | \`${plan}\``)
    }
    await testServer.psp('faults clear')
    const { stdout } = await testServer.psp('payments create --amount 10051 --json')
    expect(JSON.parse(stdout)).toMatchObject({
      payment: { metadata: { simulator_failure_code: 'insufficient_funds' } },
    })
  })
})
