// All commands, as data. The implementation of a command is loaded when it runs.
import type { Group } from '../command.ts'
import { audit } from './audit/group.ts'
import { banks } from './banks/group.ts'
import { clock } from './clock/group.ts'
import { completion } from './completion/group.ts'
import { config } from './config/group.ts'
import { demo } from './demo/group.ts'
import { doctor } from './doctor/group.ts'
import { events } from './events/group.ts'
import { exec } from './exec/group.ts'
import { faults } from './faults/group.ts'
import { keys } from './keys/group.ts'
import { listen } from './listen/group.ts'
import { logs } from './logs/group.ts'
import { openapi } from './openapi/group.ts'
import { payments } from './payments/group.ts'
import { payouts } from './payouts/group.ts'
import { request } from './request/group.ts'
import { rules } from './rules/group.ts'
import { serve } from './serve/group.ts'
import { settings } from './settings/group.ts'
import { shops } from './shops/group.ts'
import { sign, verify } from './signatures/group.ts'
import { store } from './store/group.ts'
import { tail } from './tail/group.ts'
import { trigger } from './trigger/group.ts'
import { ui } from './ui/group.ts'
import { wait } from './wait/group.ts'
import { webhooks } from './webhooks/group.ts'

/** The commands in the order of help, with the most basic first. */
export const COMMANDS: Group = {
  name: 'psp',
  about: 'A payment service provider on your machine: API, hosted page, webhooks, stream.',
  sections: [
    ['run', ['serve', 'exec', 'demo']],
    ['payments', ['payments', 'payouts', 'banks', 'request']],
    ['webhooks, events', ['listen', 'tail', 'events', 'webhooks', 'wait', 'trigger']],
    ['signatures', ['sign', 'verify', 'audit']],
    ['outcomes, faults', ['rules', 'faults', 'clock']],
    ['shops and data', ['shops', 'keys', 'settings', 'store']],
    ['inspect, set up', ['ui', 'logs', 'doctor', 'config', 'openapi', 'completion']],
  ],
  commands: [
    serve,
    listen,
    demo,
    exec,
    payments,
    payouts,
    banks,
    tail,
    ui,
    events,
    webhooks,
    trigger,
    wait,
    sign,
    verify,
    audit,
    clock,
    rules,
    faults,
    shops,
    keys,
    settings,
    store,
    logs,
    request,
    openapi,
    config,
    doctor,
    completion,
  ],
}
