// All commands. The implementation of a command is loaded when it runs.
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

/** `sections` has the order of help. `commands` begins with the commands whose examples help shows. */
const ROOT = group({
  description: 'A payment service provider on your machine: API, hosted page, webhooks, stream.',
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
    get: async () => (await import('./payments/subcommands.ts')).get,
    list: async () => (await import('./payments/subcommands.ts')).list,
    cancel: async () => (await import('./payments/subcommands.ts')).cancel,
    refund: async () => (await import('./payments/refund.ts')).refundPayment,
    pay: async () => (await import('./payments/subcommands.ts')).pay,
    decline: async () => (await import('./payments/subcommands.ts')).decline,
    open: async () => (await import('./payments/subcommands.ts')).open,
  },
  payouts: {
    create: async () => (await import('./payouts/create.ts')).create,
    get: async () => (await import('./payouts/subcommands.ts')).get,
    list: async () => (await import('./payouts/subcommands.ts')).list,
    settle: async () => (await import('./payouts/subcommands.ts')).settle,
  },
  banks: async () => (await import('./banks/run.ts')).run,
  tail: async () => (await import('./tail/run.ts')).run,
  ui: async () => (await import('./ui/run.ts')).run,
  events: {
    list: async () => (await import('./events/subcommands.ts')).list,
    get: async () => (await import('./events/subcommands.ts')).get,
    replay: async () => (await import('./events/replay.ts')).replay,
    import: async () => (await import('./events/import.ts')).importEvents,
    export: async () => (await import('./events/export.ts')).exportScenario,
  },
  webhooks: {
    endpoints: {
      list: async () => (await import('./webhooks/endpoints/subcommands.ts')).list,
      create: async () => (await import('./webhooks/endpoints/subcommands.ts')).create,
      update: async () => (await import('./webhooks/endpoints/subcommands.ts')).update,
      delete: async () => (await import('./webhooks/endpoints/subcommands.ts')).remove,
      'rotate-secret': async () => (await import('./webhooks/endpoints/subcommands.ts')).rotateSecret,
      test: async () => (await import('./webhooks/endpoints/subcommands.ts')).test,
    },
    deliveries: {
      list: async () => (await import('./webhooks/deliveries/subcommands.ts')).list,
      get: async () => (await import('./webhooks/deliveries/subcommands.ts')).get,
      retry: async () => (await import('./webhooks/deliveries/retry.ts')).retry,
    },
  },
  trigger: async () => (await import('./trigger/run.ts')).run,
  wait: async () => (await import('./wait/run.ts')).run,
  sign: async () => (await import('./sign/run.ts')).run,
  verify: async () => (await import('./verify/run.ts')).run,
  audit: async () => (await import('./audit/choose-mode.ts')).run,
  record: async () => (await import('./record/run.ts')).run,
  compare: async () => (await import('./compare/run.ts')).run,
  clock: {
    show: async () => (await import('./clock/subcommands.ts')).show,
    freeze: async () => (await import('./clock/subcommands.ts')).freeze,
    advance: async () => (await import('./clock/advance.ts')).advance,
    resume: async () => (await import('./clock/subcommands.ts')).resume,
    speed: async () => (await import('./clock/subcommands.ts')).setSpeed,
  },
  rules: {
    add: async () => (await import('./rules/subcommands.ts')).add,
    list: async () => (await import('./rules/subcommands.ts')).list,
    remove: async () => (await import('./rules/subcommands.ts')).remove,
    clear: async () => (await import('./rules/subcommands.ts')).clear,
  },
  faults: {
    add: async () => (await import('./faults/subcommands.ts')).add,
    list: async () => (await import('./faults/subcommands.ts')).list,
    remove: async () => (await import('./faults/subcommands.ts')).remove,
    clear: async () => (await import('./faults/subcommands.ts')).clear,
  },
  shops: {
    list: async () => (await import('./shops/subcommands.ts')).list,
    get: async () => (await import('./shops/subcommands.ts')).get,
    create: async () => (await import('./shops/subcommands.ts')).create,
    update: async () => (await import('./shops/subcommands.ts')).update,
    'rotate-secret': async () => (await import('./shops/subcommands.ts')).rotateSecret,
  },
  keys: {
    list: async () => (await import('./keys/subcommands.ts')).list,
    create: async () => (await import('./keys/subcommands.ts')).create,
    revoke: async () => (await import('./keys/subcommands.ts')).revoke,
  },
  settings: {
    get: async () => (await import('./settings/subcommands.ts')).show,
    set: async () => (await import('./settings/subcommands.ts')).set,
  },
  store: {
    reset: async () => (await import('./store/subcommands.ts')).reset,
    snapshots: async () => (await import('./store/subcommands.ts')).snapshots,
    snapshot: async () => (await import('./store/subcommands.ts')).snapshot,
    restore: async () => (await import('./store/subcommands.ts')).restore,
    forget: async () => (await import('./store/subcommands.ts')).forget,
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
