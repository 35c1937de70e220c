// All commands, as data. The implementation of a command is loaded when it runs.
import type { Group } from '../command.ts'
import { audit } from './audit.ts'
import { banks } from './banks.ts'
import { clock } from './clock.ts'
import { completion } from './completion.ts'
import { config } from './config.ts'
import { demo } from './demo.ts'
import { doctor } from './doctor.ts'
import { events } from './events.ts'
import { exec } from './exec.ts'
import { faults } from './faults.ts'
import { keys } from './keys.ts'
import { listen } from './listen.ts'
import { logs } from './logs.ts'
import { openapi } from './openapi.ts'
import { payments } from './payments.ts'
import { payouts } from './payouts.ts'
import { request } from './request.ts'
import { rules } from './rules.ts'
import { serve } from './serve.ts'
import { settings } from './settings.ts'
import { shops } from './shops.ts'
import { sign } from './sign.ts'
import { store } from './store.ts'
import { tail } from './tail.ts'
import { trigger } from './trigger.ts'
import { ui } from './ui.ts'
import { verify } from './verify.ts'
import { wait } from './wait.ts'
import { webhooks } from './webhooks.ts'

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
