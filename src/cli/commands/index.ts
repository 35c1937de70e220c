// All commands, and the function that loads the implementation of each when it runs.
import { type Group, group, type Implementations, implement } from '../command.ts'
import { audit } from './audit.ts'
import { banks } from './banks.ts'
import { clock } from './clock.ts'
import { compare } from './compare.ts'
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
import { record } from './record.ts'
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

/** In the order of help, with the most basic command first. */
const ROOT = group({
  about: 'A payment service provider on your machine: API, hosted page, webhooks, stream.',
  sections: [
    ['run', ['serve', 'exec', 'demo']],
    ['payments', ['payments', 'payouts', 'banks', 'request']],
    ['webhooks, events', ['listen', 'tail', 'events', 'webhooks', 'wait', 'trigger']],
    ['checks', ['sign', 'verify', 'audit', 'record', 'compare']],
    ['outcomes, faults', ['rules', 'faults', 'clock']],
    ['shops and data', ['shops', 'keys', 'settings', 'store']],
    ['inspect, set up', ['ui', 'logs', 'doctor', 'config', 'openapi', 'completion']],
  ],
  commands: {
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
    record,
    compare,
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
  },
})

const IMPLEMENTATIONS: Implementations<typeof ROOT> = {
  serve: async () => (await import('./serve/run.ts')).run,
  listen: async () => (await import('./listen/run.ts')).run,
  demo: async () => (await import('./demo/run.ts')).run,
  exec: async () => (await import('./exec/run.ts')).run,
  payments: {
    create: async () => (await import('./payments/create.ts')).create,
    get: async () => (await import('./payments/verbs.ts')).get,
    list: async () => (await import('./payments/verbs.ts')).list,
    cancel: async () => (await import('./payments/verbs.ts')).cancel,
    refund: async () => (await import('./payments/refund.ts')).refundPayment,
    pay: async () => (await import('./payments/verbs.ts')).pay,
    decline: async () => (await import('./payments/verbs.ts')).decline,
    open: async () => (await import('./payments/verbs.ts')).open,
  },
  payouts: {
    create: async () => (await import('./payouts/create.ts')).create,
    get: async () => (await import('./payouts/verbs.ts')).get,
    list: async () => (await import('./payouts/verbs.ts')).list,
    settle: async () => (await import('./payouts/verbs.ts')).settle,
  },
  banks: async () => (await import('./banks/run.ts')).run,
  tail: async () => (await import('./tail/run.ts')).run,
  ui: async () => (await import('./ui/run.ts')).run,
  events: {
    list: async () => (await import('./events/verbs.ts')).list,
    get: async () => (await import('./events/verbs.ts')).get,
    replay: async () => (await import('./events/replay.ts')).replay,
    import: async () => (await import('./events/import.ts')).importEvents,
    export: async () => (await import('./events/export.ts')).exportScenario,
  },
  webhooks: {
    endpoints: {
      list: async () => (await import('./webhooks/endpoints/verbs.ts')).list,
      create: async () => (await import('./webhooks/endpoints/verbs.ts')).create,
      update: async () => (await import('./webhooks/endpoints/verbs.ts')).update,
      delete: async () => (await import('./webhooks/endpoints/verbs.ts')).remove,
      'rotate-secret': async () => (await import('./webhooks/endpoints/verbs.ts')).rotateSecret,
      test: async () => (await import('./webhooks/endpoints/verbs.ts')).test,
    },
    deliveries: {
      list: async () => (await import('./webhooks/deliveries/verbs.ts')).list,
      get: async () => (await import('./webhooks/deliveries/verbs.ts')).get,
      retry: async () => (await import('./webhooks/deliveries/retry.ts')).retry,
    },
  },
  trigger: async () => (await import('./trigger/run.ts')).run,
  wait: async () => (await import('./wait/run.ts')).run,
  sign: async () => (await import('./sign/run.ts')).run,
  verify: async () => (await import('./verify/run.ts')).run,
  audit: async () => (await import('./audit/mode.ts')).run,
  record: async () => (await import('./record/run.ts')).run,
  compare: async () => (await import('./compare/run.ts')).run,
  clock: {
    show: async () => (await import('./clock/verbs.ts')).show,
    freeze: async () => (await import('./clock/verbs.ts')).freeze,
    advance: async () => (await import('./clock/advance.ts')).advance,
    resume: async () => (await import('./clock/verbs.ts')).resume,
    speed: async () => (await import('./clock/verbs.ts')).setSpeed,
  },
  rules: {
    add: async () => (await import('./rules/verbs.ts')).add,
    list: async () => (await import('./rules/verbs.ts')).list,
    remove: async () => (await import('./rules/verbs.ts')).remove,
    clear: async () => (await import('./rules/verbs.ts')).clear,
  },
  faults: {
    add: async () => (await import('./faults/verbs.ts')).add,
    list: async () => (await import('./faults/verbs.ts')).list,
    remove: async () => (await import('./faults/verbs.ts')).remove,
    clear: async () => (await import('./faults/verbs.ts')).clear,
  },
  shops: {
    list: async () => (await import('./shops/verbs.ts')).list,
    get: async () => (await import('./shops/verbs.ts')).get,
    create: async () => (await import('./shops/verbs.ts')).create,
    update: async () => (await import('./shops/verbs.ts')).update,
    'rotate-secret': async () => (await import('./shops/verbs.ts')).rotateSecret,
  },
  keys: {
    list: async () => (await import('./keys/verbs.ts')).list,
    create: async () => (await import('./keys/verbs.ts')).create,
    revoke: async () => (await import('./keys/verbs.ts')).revoke,
  },
  settings: {
    get: async () => (await import('./settings/verbs.ts')).show,
    set: async () => (await import('./settings/verbs.ts')).set,
  },
  store: {
    reset: async () => (await import('./store/verbs.ts')).reset,
    snapshots: async () => (await import('./store/verbs.ts')).snapshots,
    snapshot: async () => (await import('./store/verbs.ts')).snapshot,
    restore: async () => (await import('./store/verbs.ts')).restore,
    forget: async () => (await import('./store/verbs.ts')).forget,
    export: async () => (await import('./store/export.ts')).exportState,
    import: async () => (await import('./store/import.ts')).importState,
  },
  logs: async () => (await import('./logs/run.ts')).run,
  request: async () => (await import('./request/run.ts')).run,
  openapi: async () => (await import('./openapi/run.ts')).run,
  config: async () => (await import('./config/run.ts')).run,
  doctor: async () => (await import('./doctor/run.ts')).run,
  completion: async () => (await import('./completion/run.ts')).run,
}

export const COMMANDS: Group = implement('psp', ROOT, IMPLEMENTATIONS)
